package redistest

import (
	"context"
	"net"
	"sync/atomic"
)

// Traffic counts what goes over the sockets of clients that dial with Dial.
type Traffic struct {
	Sent, Received atomic.Int64 // bytes
	RoundTrips     atomic.Int64 // how often a client began to send after it had received
}

// Dial is a dialer for the options of go-redis.
func (t *Traffic) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, addr)
	return &counted{Conn: conn, t: t, received: true}, err
}

// Reset sets all counts to 0.
func (t *Traffic) Reset() {
	t.Sent.Store(0)
	t.Received.Store(0)
	t.RoundTrips.Store(0)
}

// counted is a connection, which go-redis uses from one goroutine at a time. It
// hides what the connection can do besides, so that all goes through Read and Write.
type counted struct {
	net.Conn
	t        *Traffic
	received bool // since the last Write
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.t.Received.Add(int64(n))
	c.received = true
	return n, err
}

func (c *counted) Write(p []byte) (int, error) {
	if c.received {
		c.received = false
		c.t.RoundTrips.Add(1)
	}
	n, err := c.Conn.Write(p)
	c.t.Sent.Add(int64(n))
	return n, err
}
