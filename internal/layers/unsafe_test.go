package layers

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mayUseUnsafe says why each of the files that use package unsafe is right to do so.
// Other files, but for tests, must not.
var mayUseUnsafe = map[string]string{
	"generic/table.go":           "a Table keeps a pointer and a length, which came from one slice, in fewer words than the slice",
	"generic/shared.go":          "the blocks of a shared table came from a []uint64, so they are aligned for atomic operations",
	"blocked/view.go":            "a View is a struct of one Table and nothing else, so a slice of them is a slice of Tables",
	"internal/mem/mem.go":        "words are seen as the bytes that they are, and their address decides where a cache line begins",
	"internal/mem/huge_linux.go": "the address decides where a page begins",
	"filterfile/mapping_unix.go": "addresses of an unmapped file stay reserved, so that late reads fault and do not read others' memory",
	"filterfile/state.go":        "fields of a mapped header, at multiples of their size from a page, for atomic operations",
	"window/pins.go":             "the address of the stack tells goroutines apart; it is never used as a pointer",
	"examples/feed/feed.go":      "Sizeof, which is a constant",
}

func TestUnsafeIsUsedWhereItIsArgued(t *testing.T) {
	seen := map[string]bool{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), "\t\"unsafe\"\n") && !strings.Contains(string(text), "import \"unsafe\"") {
			return err
		}
		name, err := filepath.Rel(root, path)
		if name = filepath.ToSlash(name); mayUseUnsafe[name] == "" {
			t.Errorf("%s uses unsafe: say in mayUseUnsafe why it is right", name)
		}
		seen[name] = true
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range mayUseUnsafe {
		if !seen[name] {
			t.Errorf("%s does not use unsafe any more", name)
		}
	}
}
