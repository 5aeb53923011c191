// Package redis keeps linebloom's filters in Redis or Valkey, in one server or in a
// cluster, for many machines that must not do things twice:
//
//	client := goredis.NewClient(&goredis.Options{Addr: "localhost:6379"})
//	f, err := redis.OpenOrCreate(ctx, client, "crawl", 10_000_000, 0.001)
//	...
//	switch v, err := f.TestAndAddString(ctx, url); v {
//	case redis.New: // nobody else was told so: fetch it
//	case redis.Seen: // somebody was before
//	case redis.Unknown: // err tells why
//	}
//
// It needs no module and no script, only GETRANGE, SETRANGE and BITFIELD (Redis 3.2
// or newer). Addresses, TLS, passwords, the number of the database, deadlines and
// retries are those of the client of github.com/redis/go-redis/v9 that it is given.
// Set its ContextTimeoutEnabled if deadlines of contexts shall end commands that
// are waiting for an answer. It may be a client of one server, of Redis Sentinel
// or of a cluster, and must read from primaries and cache nothing.
//
// # Round trips
//
//	Has                 1
//	Add                 1
//	TestAndAdd          1 if the key was there, 2 if not
//	10,000 keys         the same, per server
//
// Has reads the key's block, 64 bytes, and 16 bytes that tell that the shard is
// whole, in one pipeline. TestAndAdd does so first, and if a bit is missing it sets
// all bits of the key with one BITFIELD, whose answer tells atomically what they
// were before. Of several clients with the same new key, the one whose BITFIELD
// the server executes first gets New, and all others find the bits set.
//
// # Layout
//
// A filter NAME has a key NAME:meta, of some hundred bytes, and shards NAME:{0},
// NAME:{1} and so on, of 8 to 16 MiB each; a filter of up to 16 MiB has one shard
// of its own size. The braces let a cluster spread the shards over its nodes by
// their number, so that shards of the same number, of any filter, are on the same
// node. The blocks are those of all linebloom's filters, byte by byte; Redis only
// counts the bits of a byte from the other end. docs/FORMAT.md has the details. All
// memory of a filter is in use from the beginning. Names have no braces.
//
// # What the verdicts are worth
//
// New is certain: the key was not there. Of all calls for one key, at most one is
// told so. Seen is wrong as often as any filter is: at the rate that it was made
// for. Unknown means that the answer did not arrive in time, or that the server
// refused. Then the key may have been added, without anybody being told that it is
// new; if the call is made again it may get Seen. So this package never sends a
// TestAndAdd twice by itself, whatever MaxRetries of the client says, and leaves
// the decision to the caller, who gets an UnknownError that names the keys, or
// decides beforehand with WithUnknownAs. Add may be repeated, and is. Redirects of
// a cluster are followed: who redirects has not executed anything.
//
// Whoever gets an error from Has gets true with it: maybe.
//
// # What is lost is an error
//
// Each shard ends with a sentinel that holds the random id of its filter. Every
// command checks it in the same round trip. If a shard was evicted, deleted,
// flushed or replaced, or has expired, the answer is ErrFilterLost and never that a
// key is absent, even if late writes have made a key of the shard's name again, and
// also if somebody has made a new filter of the same name. Servers that evict such
// keys when they run out of memory are refused, see AcceptEviction. Late writes
// can leave a key of up to 16 MiB behind, which Drop, or making the filter again,
// removes. They can also set bits in a new filter of the name, which is a false
// positive at worst.
//
// # What Redis may forget
//
// Three things can take additions back of which the caller has been told, without
// any sign. A key is then absent again, and may be New a second time:
//
//   - A failover: replicas get writes a little later than they are answered. A
//     primary that dies, or that is cut off and replaced, takes with it what its
//     replica did not have. WithWait makes writes wait for replicas; that makes it
//     unlikely and not impossible, since Redis may promote a replica that did not
//     have it. A primary that is cut off goes on answering for a while (a cluster's
//     for cluster-node-timeout) and may answer that keys are absent which were
//     added at its successor.
//   - A restart without persistence loses the filter, which is an error, or goes
//     back to the last snapshot, which is not. With appendonly and appendfsync
//     everysec, as usual, up to two seconds are lost when the machine fails, and
//     with always nothing. WithWaitAOF waits for the disk.
//   - Restoring an old backup, and commands of others that write to its keys.
//
// Resharding a cluster while it is in use loses nothing: a slot's keys move one by
// one, atomically, and clients are sent after them. While a large shard moves, its
// server answers nobody, some ten milliseconds for 16 MiB; a cluster-node-timeout or
// ReadTimeout shorter than that makes verdicts unknown. With WithWait, what was added
// to a shard in the moment in which it moved is reported as ErrNotReplicated.
//
// # Windows
//
// A Window is a filter that forgets: Rotate begins a new generation and drops the
// oldest. Clients need not be told. A shard that is not the newest generation's any
// more is marked as frozen, in its sentinel, which every answer shows; so a client
// that did not know starts again with the new one, and no key is new twice.
package redis
