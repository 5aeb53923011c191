// Package colly keeps the visited pages of github.com/gocolly/colly in a filter: in
// memory, in a file that survives the crawler, or in Redis, where many crawlers
// share it.
//
//	pages, err := blocked.NewAtomic(10_000_000, 1e-6)
//	...
//	visited := colly.NewMemory(pages, colly.Options{Strict: true})
//	err = collector.SetStorage(visited)
//
// Ten million pages take 49 MB at a false positive rate of one in a million. A
// false positive is a page that is never fetched because it is taken for one that
// was: choose the rate accordingly. Beyond the capacity it grows. If the number of
// pages is not known, NewScalable takes a filter that grows instead and keeps its
// rate, for up to five times the memory. Those in files and in Redis do not grow:
// make them large enough.
//
// # What colly asks
//
// Before each request, colly hashes URL and body to an id of 64 bits, by FNV-1a,
// and calls IsVisited. If the answer is no it calls Visited, and if that returns no
// error it makes the request. HasVisited and HasPosted call IsVisited alone, so
// that IsVisited adds nothing. The ids are hashed once more before they choose
// bits. Two URLs that FNV maps to one id are one page, here as in colly's own
// storages.
//
// Between the two calls somebody else may do the same: another collector with the
// same storage, or another callback of an asynchronous one. Colly's own storages
// then fetch the page twice.
//
// # Strict mode
//
// With Options.Strict, Visited returns ErrVisited to all but the first. Colly does
// not make the request then, and returns the error from Visit; of all callers one
// fetches the page. If a redirect led to the page, the request has been made but
// the redirect is not followed, and the error reaches Visit and OnError inside the
// one of the HTTP client. So what tells that a page was visited is either:
//
//	var visited *gocolly.AlreadyVisitedError
//	if errors.As(err, &visited) || errors.Is(err, colly.ErrVisited) { ... }
//
// Its limits, all of them about requests for which colly does not ask or asks
// otherwise:
//
//   - A page that redirects back to the URL where it began is fetched again, since
//     colly does not ask about that URL: in a loop of redirects the first page is
//     fetched twice.
//   - Head and Request.Retry do not ask about their own URL, but colly calls
//     Visited for the targets of their redirects, although it would follow them if
//     IsVisited said yes. A strict storage refuses a target that was visited
//     before. To retry such pages use a storage that is not strict.
//   - The HEAD requests of CheckHead mark the targets of redirects, so that the GET
//     requests after them are refused, with colly's own storages too.
//   - A page is marked before it is fetched. If the request fails or is aborted by
//     a callback, the page stays marked; Request.Retry fetches it again.
//   - URLs that differ in the fragment or in the order of the query are different
//     pages to colly.
//
// # Resuming
//
// With NewFile, a page that was marked stays marked when the crawler is killed.
// That is half of what a crawl needs to resume. The other half is what is still to
// be fetched: put links into colly's queue, over a Frontier.
//
//	OnHTML: for each link: if not collector.HasVisited(link): queue.AddURL(link)
//
// What holds then, after any number of kills, if the storage is strict: no page is
// fetched twice, with the limits above. A page that was being fetched when the
// crawler was killed, at most one per thread of the queue, stays marked: it is not
// fetched again, and links that only it has are not found. Nobody can have both
// here: a crawler that is killed before it says that it has a page cannot tell
// whether it did.
//
// # Cookies
//
// Cookies are those of colly's in-memory storage, and as volatile, but for a
// storage in Redis, which keeps them there.
package colly
