package redis

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
)

const (
	// maxShard is the size of the largest shard without its sentinel. A filter
	// that needs several shards has shards of at least half of it.
	maxShard = 16 << 20

	// maxShards is the largest number of shards that a meta key may speak of.
	maxShards = 1 << 16
)

// layout says where the blocks of a filter are: shard i has blocks i*perShard and
// following, and the last shard those that are left.
type layout struct {
	params   blocked.Params
	perShard uint64 // blocks
	shards   int
}

// layoutOf cuts a filter into equal shards of at most limit bytes.
func layoutOf(p blocked.Params, limit uint64) layout {
	n := (p.Bytes() + limit - 1) / limit
	per := (p.Blocks + n - 1) / n
	return layout{p, per, int((p.Blocks + per - 1) / per)}
}

// size returns the size of the blocks of shard i in bytes.
func (l layout) size(i int) int64 {
	first := uint64(i) * l.perShard
	return int64(min(l.perShard, l.params.Blocks-first) * generic.BlockBytes)
}

// place returns the shard of a key and where its block begins in it.
func (l layout) place(h uint64) (shard int, at int64) {
	block := generic.Offset(l.params.Blocks, h) / generic.BlockBytes
	return int(block / l.perShard), int64(block % l.perShard * generic.BlockBytes)
}

// bitOffset returns Redis's number of bit p, 0 to 511, of the block at byte at.
// Redis counts the bits of a byte from the other end.
func bitOffset(at int64, p uint32) int64 {
	return 8*(at+int64(p>>3)) + int64(7-p&7)
}

// The keys of a filter. What stands in braces alone chooses the slot of a key in
// a cluster: shards are spread over the nodes, and a shard and the temporary key
// that it is made in are on the same.
func metaKey(name string) string             { return name + ":meta" }
func shardKey(name string, i int) string     { return name + ":{" + strconv.Itoa(i) + "}" }
func temporaryKey(name string, i int) string { return shardKey(name, i) + ":new" }

// The key of a window, and the names of the filters that are its generations. They
// have a part of the window's id, so that a window that was lost leaves nothing that
// another one of its name could take for its own.
func windowKey(name string) string { return name + ":window" }
func generationName(name string, id [16]byte, n uint64) string {
	return fmt.Sprintf("%s/%x/%d", name, id[:8], n)
}

// checkName refuses names whose keys would go to slots of the name's choice.
func checkName(name string) error {
	if name == "" || len(name) > 1024 || strings.ContainsAny(name, "{}") {
		return invalid("name %s, want 1 to 1024 bytes without braces", shorten(name))
	}
	return nil
}

func shorten(s string) string {
	if len(s) > 40 {
		return fmt.Sprintf("%.40q... of %d bytes", s, len(s))
	}
	return strconv.Quote(s)
}
