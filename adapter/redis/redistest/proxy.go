package redistest

import (
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"
)

// A Proxy stands between clients and a server and does harm to what passes.
type Proxy struct {
	Addr   string
	Faults atomic.Int64 // so many so far

	server string
	every  int64 // of so many pieces one is harmed; 0: none
	delay  time.Duration
	pieces atomic.Int64
}

// StartProxy starts a proxy that harms one of so many pieces of data, in turn by
// cutting the connection before a request, by dropping an answer and cutting the
// connection, by cutting it in the middle of an answer, and by delaying an answer.
func StartProxy(t testing.TB, s *Server, every int, delay time.Duration) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{Addr: l.Addr().String(), server: s.Addr, every: int64(every), delay: delay}
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(func() {
		stop()
		l.Close()
	})
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := new(net.Dialer).DialContext(ctx, "tcp", p.server)
			if err != nil {
				client.Close()
				continue
			}
			context.AfterFunc(ctx, func() { client.Close(); server.Close() })
			go p.pass(client, server, false)
			go p.pass(server, client, true)
		}
	}()
	return p
}

// pass copies from one connection to the other until it does harm.
func (p *Proxy) pass(from, to net.Conn, answers bool) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		piece := buf[:n]
		if i := p.pieces.Add(1); p.every > 0 && i%p.every == 0 {
			kind := p.Faults.Add(1) % 4
			switch {
			case !answers: // the request does not arrive
				return
			case kind == 0:
				time.Sleep(p.delay)
			case kind == 1:
				to.Write(piece[:n/2])
				return
			default:
				return
			}
		}
		if _, err := to.Write(piece); err != nil {
			return
		}
	}
}
