package main

// A simulated day at the feed.
const (
	visits  = 40
	shown   = 10  // articles per visit
	offered = 100 // articles to choose from
	fresh   = 12  // new articles between two visits
)

// simulate lets all readers visit the feed. It returns how many articles were shown
// to somebody twice, and the fraction of articles, of those that a reader should
// have been shown, that were passed over at least once.
func simulate(f *Feed, readers int) (twice int, held float64) {
	var right, wrong int
	candidates := make([]uint32, offered)
	var page []uint32
	for reader := range readers {
		var was, passed [offered + visits*fresh + 1]bool
		for visit := range visits {
			order(candidates, uint32(1+(visit+1)*fresh), uint64(reader*visits+visit))
			page = f.Show(page[:0], reader, candidates, shown)
			right += len(page)
			left := page
			for _, article := range candidates {
				if len(left) > 0 && article == left[0] {
					if was[article] {
						twice++
					}
					was[article] = true
					if left = left[1:]; len(left) == 0 && len(page) == shown {
						break
					}
				} else if !was[article] && !passed[article] {
					passed[article] = true
					wrong++
				}
			}
		}
	}
	return twice, float64(wrong) / float64(right+wrong)
}

// order fills candidates with the articles from first on, in one of many orders.
func order(candidates []uint32, first uint32, which uint64) {
	n := uint64(len(candidates))
	which *= 0x9E3779B97F4A7C15
	at := (which >> 32) % n
	for i := range candidates {
		candidates[i] = first + uint32(at)
		at = (at + 37) % n // 37 and 100 have no common factor: each once
	}
}
