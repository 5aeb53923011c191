package redistest

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// A Server is a redis-server process.
type Server struct {
	Addr string

	t    testing.TB
	args []string
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
	log  *bytes.Buffer
}

// Start starts a server, with its folder and port and the given arguments, and
// waits until it answers. Nothing is saved to disk unless the arguments say so.
// Without redis-server on the PATH the test fails under CI and is skipped
// elsewhere.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	port := freePort(t)
	s := &Server{
		Addr: net.JoinHostPort("127.0.0.1", port),
		t:    t,
		args: append([]string{"--port", port, "--bind", "127.0.0.1", "--dir", t.TempDir(),
			"--save", "", "--appendonly", "no", "--protected-mode", "no"}, args...),
	}
	s.Restart()
	t.Cleanup(s.Kill)
	return s
}

// Restart starts the process again after Kill or Stop, with the same folder.
func (s *Server) Restart() {
	s.t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		const missing = "there is no redis-server on the PATH: install the package redis-server, or valkey with its redis names"
		if os.Getenv("CI") != "" {
			s.t.Fatal(missing)
		}
		s.t.Skip(missing)
	}
	s.log = new(bytes.Buffer)
	s.cmd = exec.Command(path, s.args...)
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	done := make(chan struct{})
	s.done = done
	go func(cmd *exec.Cmd) {
		cmd.Wait()
		close(done)
	}(s.cmd)
	client := s.Client(nil)
	defer client.Close()
	Eventually(s.t, "the server answers", func() bool {
		select {
		case <-done:
			s.t.Fatalf("redis-server ended:\n%s", s.log)
		default:
		}
		return client.Ping(context.Background()).Err() == nil
	})
}

// Kill ends the process as kill -9 does.
func (s *Server) Kill() {
	s.cmd.Process.Kill()
	<-s.done
}

// Client returns a client of the server, which the test's end closes. change, if
// it is not nil, changes its options.
func (s *Server) Client(change func(*redis.Options)) *redis.Client {
	o := &redis.Options{Addr: s.Addr, MaintNotificationsConfig: noNotifications}
	if change != nil {
		change(o)
	}
	client := redis.NewClient(o)
	s.t.Cleanup(func() { client.Close() })
	return client
}

// StartReplica starts a replica of s and waits until it has everything.
func (s *Server) StartReplica(args ...string) *Server {
	s.t.Helper()
	host, port, _ := net.SplitHostPort(s.Addr)
	r := Start(s.t, append([]string{"--replicaof", host + " " + port}, args...)...)
	s.awaitReplica()
	return r
}

// awaitReplica waits until a replica has everything and has said so. Before that
// the server may not count it.
func (s *Server) awaitReplica() {
	s.t.Helper()
	if _, err := s.do("config", "set", "repl-ping-replica-period", 1); err != nil { // so that there is something to say
		s.t.Fatal(err)
	}
	acknowledged := regexp.MustCompile(`(?m)^slave0:.*state=online,offset=([0-9]+),`)
	written := regexp.MustCompile(`(?m)^master_repl_offset:([0-9]+)`)
	Eventually(s.t, "the replica is in sync", func() bool {
		info, err := s.do("info", "replication")
		if err != nil {
			return false
		}
		a, w := acknowledged.FindStringSubmatch(info.(string)), written.FindStringSubmatch(info.(string))
		return a != nil && w != nil && a[1] == w[1] && a[1] != "0"
	})
}

// Eventually waits until ok returns true, or fails the test after half a minute.
func Eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for range 3000 {
		if ok() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("waited in vain until %s", what)
}

func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}
