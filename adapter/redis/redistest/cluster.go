package redistest

import (
	"context"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

const slots = 16384

var noNotifications = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}

// A Cluster is a Redis Cluster.
type Cluster struct {
	Nodes []*Server
	t     testing.TB
}

// StartCluster starts a cluster of n primaries that share the slots evenly.
func StartCluster(t testing.TB, n int) *Cluster {
	t.Helper()
	c := &Cluster{t: t}
	for i := range n {
		node := c.start()
		c.do(node, "cluster", "addslotsrange", i*slots/n, (i+1)*slots/n-1)
		c.do(node, "cluster", "set-config-epoch", i+1)
	}
	c.meet()
	return c
}

func (c *Cluster) start() *Server {
	node := Start(c.t, "--cluster-enabled", "yes", "--cluster-port", freePort(c.t), "--cluster-node-timeout", "1000",
		"--repl-diskless-sync-delay", "0")
	c.Nodes = append(c.Nodes, node)
	return node
}

// meet makes all nodes know each other.
func (c *Cluster) meet() {
	c.t.Helper()
	for _, node := range c.Nodes[1:] {
		host, port, _ := net.SplitHostPort(c.Nodes[0].Addr)
		bus := c.Nodes[0].busPort()
		c.do(node, "cluster", "meet", host, port, bus)
	}
	for _, node := range c.Nodes {
		Eventually(c.t, "the cluster is up", func() bool {
			info := c.do(node, "cluster", "info").(string)
			return strings.Contains(info, "cluster_state:ok") &&
				strings.Contains(info, "cluster_known_nodes:"+strconv.Itoa(len(c.Nodes)))
		})
	}
}

// busPort returns the port on which a node talks to others.
func (s *Server) busPort() string {
	for i, arg := range s.args {
		if arg == "--cluster-port" {
			return s.args[i+1]
		}
	}
	panic("not a node of a cluster")
}

// AddReplica starts a replica of a node and waits until it has everything.
func (c *Cluster) AddReplica(of *Server) *Server {
	c.t.Helper()
	r := c.start()
	c.meet()
	Eventually(c.t, "the replica knows its primary", func() bool {
		client := r.Client(nil)
		return client.Do(context.Background(), "cluster", "replicate", c.id(of)).Err() == nil
	})
	of.awaitReplica()
	return r
}

// Client returns a client of the cluster, which the test's end closes.
func (c *Cluster) Client(change func(*redis.ClusterOptions)) *redis.ClusterClient {
	o := &redis.ClusterOptions{MaintNotificationsConfig: noNotifications}
	for _, node := range c.Nodes {
		o.Addrs = append(o.Addrs, node.Addr)
	}
	if change != nil {
		change(o)
	}
	client := redis.NewClusterClient(o)
	c.t.Cleanup(func() { client.Close() })
	return client
}

// Owner returns the node that has a slot.
func (c *Cluster) Owner(slot int64) *Server {
	c.t.Helper()
	for _, node := range c.Nodes {
		if node.Has(slot) {
			return node
		}
	}
	c.t.Fatalf("nobody has slot %d", slot)
	return nil
}

// Has reports whether the node says that it has a slot, as a primary.
func (s *Server) Has(slot int64) bool {
	nodes, err := s.do("cluster", "nodes")
	if err != nil {
		return false
	}
	for line := range strings.Lines(nodes.(string)) {
		fields := strings.Fields(line)
		if !strings.Contains(fields[2], "myself") {
			continue
		}
		for _, r := range fields[8:] {
			from, to, isRange := strings.Cut(r, "-")
			if !isRange {
				to = from
			}
			a, err1 := strconv.ParseInt(from, 10, 64)
			b, err2 := strconv.ParseInt(to, 10, 64)
			if err1 == nil && err2 == nil && a <= slot && slot <= b {
				return true
			}
		}
	}
	return false
}

// MoveSlot moves a slot with its keys to another node, as redis-cli --cluster
// reshard does it.
func (c *Cluster) MoveSlot(slot int64, to *Server) {
	c.t.Helper()
	from := c.Owner(slot)
	if from == to {
		return
	}
	c.do(to, "cluster", "setslot", slot, "importing", c.id(from))
	c.do(from, "cluster", "setslot", slot, "migrating", c.id(to))
	host, port, _ := net.SplitHostPort(to.Addr)
	for {
		keys := c.do(from, "cluster", "getkeysinslot", slot, 1).([]any)
		if len(keys) == 0 {
			break
		}
		c.do(from, "migrate", host, port, keys[0], 0, 10_000)
	}
	id := c.id(to)
	c.do(to, "cluster", "setslot", slot, "node", id)
	c.do(from, "cluster", "setslot", slot, "node", id)
	for _, node := range c.Nodes {
		if node != to && node != from {
			c.do(node, "cluster", "setslot", slot, "node", id)
		}
	}
}

func (c *Cluster) id(node *Server) string { return c.do(node, "cluster", "myid").(string) }

func (c *Cluster) do(node *Server, args ...any) any {
	c.t.Helper()
	answer, err := node.do(args...)
	if err != nil {
		c.t.Fatalf("%v: %v", args, err)
	}
	return answer
}

func (s *Server) do(args ...any) (any, error) {
	client := s.Client(nil)
	defer client.Close()
	return client.Do(context.Background(), args...).Result()
}
