package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// lines compares the command with programs that people use for the same, as whole
// processes with files as input and output: time, memory, and what they print.
func lines(b *bench, r *result) error {
	dir, err := os.MkdirTemp("", "linebloom-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p := programs{b: b, r: r, dir: dir}
	if err := p.build(); err != nil {
		return err
	}
	urls, sources := filepath.Join(dir, "urls"), filepath.Join(dir, "sources")
	number, most := 25_000_000, int64(1<<30)
	if b.quick {
		number, most = 200_000, 8<<20
	}
	if len(b.sizes) > 0 && b.sizes[len(b.sizes)-1] < 1<<20 {
		number, most = 10_000, 1<<20 // a test
	}
	if err := writeURLs(urls, number); err != nil {
		return err
	}
	if err := writeSources(sources, most); err != nil {
		return err
	}
	for _, input := range []string{urls, sources} {
		if err := p.dedup(input); err != nil {
			return err
		}
	}
	return p.filters(urls)
}

// programs are those that are compared.
type programs struct {
	b         *bench
	r         *result
	dir       string
	linebloom string
	dcso      string
}

// build builds linebloom's command, and DCSO's, a tool of this module.
func (p *programs) build() error {
	p.linebloom, p.dcso = filepath.Join(p.dir, "linebloom"), filepath.Join(p.dir, "bloom")
	for path, pkg := range map[string]string{
		p.linebloom: "github.com/linebloom/linebloom/cmd/linebloom",
		p.dcso:      "github.com/DCSO/bloom/bloom",
	} {
		if out, err := exec.Command("go", "build", "-o", path, pkg).CombinedOutput(); err != nil {
			return fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
		}
	}
	return nil
}

// A process is one of the programs with its arguments. stdin is a file or "".
type process struct {
	name   string
	args   []string
	stdin  string
	stdout string // what it printed
	none   bool   // exit code 1 says that nothing was selected
}

// A cost is what a run of a process took.
type cost struct {
	seconds float64
	bytes   int // of memory, at most
}

// run runs a process, as often as time allows, and returns the lowest cost: other
// work on the machine only adds to it.
func (p *programs) run(c process) (cost, error) {
	best := cost{}
	began := time.Now()
	for round := 0; round < 3 && (round == 0 || time.Since(began) < 10*time.Second); round++ {
		took, err := p.once(c)
		if err != nil {
			return best, fmt.Errorf("%s: %w", c.name, err)
		}
		if round == 0 || took.seconds < best.seconds {
			best = took
		}
	}
	return best, nil
}

func (p *programs) once(c process) (cost, error) {
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Env = append(os.Environ(), "LC_ALL=C") // sort compares bytes then, which is its fastest
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if c.stdin != "" {
		in, err := os.Open(c.stdin)
		if err != nil {
			return cost{}, err
		}
		defer in.Close()
		cmd.Stdin = in
	}
	if c.stdout != "" {
		out, err := os.Create(c.stdout)
		if err != nil {
			return cost{}, err
		}
		defer out.Close()
		cmd.Stdout = out
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return cost{}, err
	}
	memory := watchMemory(cmd.Process.Pid)
	err := cmd.Wait()
	took := cost{time.Since(start).Seconds(), memory()}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && c.none {
		err = nil
	}
	if err != nil {
		return took, fmt.Errorf("%w: %s", err, stderr.String())
	}
	return took, nil
}

// dedup prints each line of input once.
func (p *programs) dedup(input string) error {
	lines, size, err := countLines(input)
	if err != nil {
		return err
	}
	what := filepath.Base(input)
	fmt.Fprintf(p.b.out, "each of %d lines once, %s, %d MB\n", lines, what, size>>20)
	list := []struct {
		process
		ordered bool
	}{
		{process{name: "linebloom dedup", args: []string{p.linebloom, "dedup", input}}, true},
		{process{name: "awk !s[$0]++", args: []string{"awk", "!s[$0]++", input}}, true},
		{process{name: "anew", args: []string{"anew"}, stdin: input}, true},
		{process{name: "sort -u", args: []string{"sort", "-u", input}}, false},
	}
	var ours, fastest cost
	var want string
	for _, c := range list {
		if _, err := exec.LookPath(c.args[0]); err != nil {
			fmt.Fprintf(p.b.out, "  %-39s is not on the PATH\n", c.name)
			continue
		}
		c.stdout = filepath.Join(p.dir, "out")
		if want == "" {
			c.stdout = filepath.Join(p.dir, "first")
		}
		took, err := p.run(c.process)
		if err != nil {
			return err
		}
		p.print(c.name, took, lines, what)
		switch {
		case want == "":
			ours, want = took, c.stdout
		case c.ordered:
			if same, err := sameFiles(want, c.stdout); err != nil || !same {
				return fmt.Errorf("%s prints other lines than linebloom: %w", c.name, err)
			}
			if fastest.seconds == 0 || took.seconds < fastest.seconds {
				fastest = took
			}
		}
	}
	if fastest.seconds == 0 {
		return errors.New("there is no awk to compare with")
	}
	if fastest.bytes == 0 { // so short, or on another system
		fastest.bytes = ours.bytes
	}
	p.r.judge("fastest that keeps order / dedup, "+what, fastest.seconds/ours.seconds, 4, false)
	p.r.judge("memory of dedup / of that, "+what, float64(ours.bytes)/float64(fastest.bytes), 0.2, true)
	return nil
}

// filters builds filter files and checks lines against them.
func (p *programs) filters(keys string) error {
	lines, _, err := countLines(keys)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.b.out, "filter files of %d lines, 0.1 %%\n", lines)
	own, theirs := filepath.Join(p.dir, "own.lbf"), filepath.Join(p.dir, "theirs.bloom")
	n := fmt.Sprint(lines)
	if _, err := p.once(process{args: []string{p.dcso, "create", "-p", "0.001", "-n", n, theirs}}); err != nil {
		return err
	}
	var took [4]cost
	for i, c := range []process{
		{name: "linebloom build", args: []string{p.linebloom, "build", "--force", "-p", "0.001", "-n", n, "-o", own, keys}},
		{name: "bloom insert", args: []string{p.dcso, "insert", theirs}, stdin: keys},
		{name: "linebloom check", args: []string{p.linebloom, "check", own, keys}, stdout: filepath.Join(p.dir, "own")},
		{name: "bloom check", args: []string{p.dcso, "check", theirs}, stdin: keys, stdout: filepath.Join(p.dir, "theirs")},
	} {
		if took[i], err = p.run(c); err != nil {
			return err
		}
		p.print(c.name, took[i], lines, "urls")
	}
	for _, name := range []string{"own", "theirs"} {
		if same, err := sameFiles(keys, filepath.Join(p.dir, name)); err != nil || !same {
			return fmt.Errorf("%s: not all keys are found: %w", name, err)
		}
	}
	p.r.judge("bloom insert / linebloom build", took[1].seconds/took[0].seconds, 8, false)
	p.r.judge("bloom check / linebloom check", took[3].seconds/took[2].seconds, 5, false)

	took[0], err = p.run(process{name: "wc -l", args: []string{"wc", "-l", keys}})
	if err != nil {
		return err
	}
	p.print("wc -l", took[0], lines, "urls")
	return nil
}

func (p *programs) print(name string, took cost, lines int, what string) {
	fmt.Fprintf(p.b.out, "  %-39s %6.2f s %8.2f M lines/s %7d MB\n",
		name, took.seconds, float64(lines)/took.seconds/1e6, took.bytes>>20)
	p.r.Measurements = append(p.r.Measurements, measurement{
		Contender: name + ", " + what, OwnBytes: took.bytes, Keys: lines,
		NsPerKey: round(took.seconds * 1e9 / float64(lines)),
	})
}

// writeURLs writes that many lines, of which four in five repeat.
func writeURLs(path string, n int) error {
	return writeFile(path, func(w *bufio.Writer) error {
		hosts := []string{"www.example.com", "shop.example.org", "news.example.net", "blog.example.com", "api.example.org"}
		kinds := []string{"articles", "products", "users"}
		for i := range n {
			x := hashAt(uint64(i)) % uint64(n/5+1)
			if i < n/5 {
				x = uint64(i)
			}
			h := hashAt(absent + x)
			fmt.Fprintf(w, "https://%s/%s/%d/%x?id=%d\n", hosts[h%5], kinds[h>>8%3], h>>50, h>>20, x)
		}
		return nil
	})
}

// writeSources writes the lines of Go's sources, and of those of the modules that are
// there, up to that many bytes.
func writeSources(path string, most int64) error {
	return writeFile(path, func(w *bufio.Writer) error {
		var roots []string
		for _, name := range []string{"GOROOT", "GOMODCACHE"} {
			out, err := exec.Command("go", "env", name).Output()
			if err != nil {
				return err
			}
			roots = append(roots, strings.TrimSpace(string(out)))
		}
		left := most
		for _, root := range roots {
			err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
				if err != nil || left <= 0 || d.IsDir() || !strings.HasSuffix(name, ".go") {
					return nil // what cannot be read is left out
				}
				text, err := os.ReadFile(name)
				if err != nil || len(text) == 0 {
					return nil
				}
				if text[len(text)-1] != '\n' {
					text = append(text, '\n')
				}
				left -= int64(len(text))
				_, err = w.Write(text)
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func writeFile(path string, write func(*bufio.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}

func countLines(path string) (lines int, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	buf := make([]byte, 1<<20)
	for {
		n, err := f.Read(buf)
		lines += bytes.Count(buf[:n], []byte("\n"))
		size += int64(n)
		if err == io.EOF {
			return lines, size, nil
		}
		if err != nil {
			return 0, 0, err
		}
	}
}

func sameFiles(a, b string) (bool, error) {
	var r [2]*bufio.Reader
	for i, name := range []string{a, b} {
		f, err := os.Open(name)
		if err != nil {
			return false, err
		}
		defer f.Close()
		r[i] = bufio.NewReaderSize(f, 1<<20)
	}
	x, y := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(r[0], x)
		m, _ := io.ReadFull(r[1], y)
		if !bytes.Equal(x[:n], y[:m]) {
			return false, nil
		}
		if err != nil {
			return true, nil
		}
	}
}
