package layers

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/linebloom/linebloom"

// mayImport says, for every package of the core, what it may import outside the
// standard library. Think twice before adding to a line: a core that knows
// filters, or a specification that knows CPUs, can no longer be read alone.
var mayImport = map[string][]string{
	"generic": {},
	"amd64":   {"generic"},
	"arm64":   {"generic"},
	"asm": {"generic", "amd64", "arm64",
		"github.com/klauspost/cpuid/v2", "golang.org/x/sys/cpu"},
	"blocked": {"generic", "asm", "internal/format", "internal/keys", "internal/mem", "internal/rate",
		"github.com/zeebo/xxh3"},
	"counting": {"generic", "blocked", "internal/atomicfile", "internal/format", "internal/keys", "internal/mem"},
	"filterfile": {"generic", "blocked", "internal/atomicfile", "internal/format", "internal/mem",
		"golang.org/x/sys/unix"},
	"fuzz":                {"generic", "asm", "blocked"},
	"internal/atomicfile": {},
	"internal/format":     {"internal/mem"},
	"internal/formattest": {"internal/format"},
	"internal/golden":     {},
	"internal/keys":       {"asm", "github.com/zeebo/xxh3"},
	"internal/layers":     {},
	"internal/mem":        {"golang.org/x/sys/unix"},
	"internal/rate":       {},
	"internal/rate/gen":   {},
	"scalable": {"generic", "blocked", "internal/atomicfile", "internal/format", "internal/keys",
		"internal/mem"},
	"window": {"generic", "blocked", "filterfile", "internal/keys"},
}

type pkg struct {
	ImportPath     string
	Imports        []string
	IgnoredGoFiles []string
	CgoFiles       []string
}

// list returns the packages of this module as the given CPU sees them.
func list(t *testing.T, goarch string) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json", module+"/...")
	cmd.Env = append(cmd.Environ(), "GOARCH="+goarch, "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	var pkgs []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); err == io.EOF {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

func TestPackagesStayInTheirLayers(t *testing.T) {
	for _, goarch := range []string{"amd64", "arm64", "s390x"} {
		for _, p := range list(t, goarch) {
			name := strings.TrimPrefix(p.ImportPath, module+"/")
			allowed, ok := mayImport[name]
			if !ok {
				t.Errorf("package %s is new: say in mayImport what it may import", name)
			}
			for _, imp := range p.Imports {
				inside, isOurs := strings.CutPrefix(imp, module+"/")
				if isOurs {
					imp = inside
				} else if !strings.Contains(imp, ".") {
					continue // the standard library
				}
				if !slices.Contains(allowed, imp) {
					t.Errorf("on %s, %s imports %s, which is not below it", goarch, name, imp)
				}
			}
			if len(p.CgoFiles) > 0 {
				t.Errorf("%s uses cgo", name)
			}
		}
	}
}

// blocked has no build tags: what differs between CPUs is below it.
func TestBlockedIsTheSameEverywhere(t *testing.T) {
	for _, goarch := range []string{"amd64", "s390x"} {
		for _, p := range list(t, goarch) {
			if p.ImportPath == module+"/blocked" && len(p.IgnoredGoFiles) > 0 {
				t.Errorf("on %s, blocked leaves out %v", goarch, p.IgnoredGoFiles)
			}
		}
	}
}

func TestDirectRequirementsOfTheCore(t *testing.T) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{if not (or .Main .Indirect)}}{{.Path}}{{end}}", "all")
	cmd.Env = append(cmd.Environ(), "GOWORK=off")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Fields(string(out))
	slices.Sort(got)
	want := []string{"github.com/klauspost/cpuid/v2", "github.com/zeebo/xxh3", "golang.org/x/sys"}
	if !slices.Equal(got, want) {
		t.Errorf("the core requires %v, want %v and no others", got, want)
	}
}
