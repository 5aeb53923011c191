package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/adapter/redis/redistest"
)

// all is the number of pages of a built-in site of 100: the first, the pages, two
// views and an old name of each.
const all = 1 + 4*100

func configOf(storage, dir string) config {
	return config{storage: storage, file: filepath.Join(dir, "visited.lbf"), name: "visited",
		capacity: 10_000, rate: 1e-8, threads: 4, pages: 100}
}

// mustSay runs the crawler and compares the numbers that it prints.
func mustSay(t *testing.T, c config, fetched int) {
	t.Helper()
	var out bytes.Buffer
	if err := run(&out, c, ""); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	for _, want := range []string{
		fmt.Sprintf("\n  %d pages fetched, ", fetched),
		fmt.Sprintf("\n  the site was asked for %d pages, for 0 of them more than once\n", fetched),
		" bytes per URL, with room for 10000 URLs and a false positive rate of 1e-08\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the crawler does not say %q", want)
		}
	}
}

func TestEachPageIsFetchedOnce(t *testing.T) {
	mustSay(t, configOf("memory", ""), all)
}

// A second run finds all pages in the file.
func TestTheFileRemembers(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("this system cannot share filter files")
	}
	c := configOf("file", t.TempDir())
	mustSay(t, c, all)
	mustSay(t, c, 0)
	c.frontier = c.file + ".other"
	mustSay(t, c, 0)
}

func TestRedisRemembers(t *testing.T) {
	c := configOf("redis", "")
	c.redis = "redis://" + redistest.Start(t).Addr
	mustSay(t, c, all)
	mustSay(t, c, 0)
}

func TestWrongArguments(t *testing.T) {
	noPages := configOf("memory", "")
	noPages.pages = 0
	noCapacity := configOf("memory", "")
	noCapacity.capacity = 0
	noServer := configOf("redis", "")
	noServer.redis = "localhost"
	folder := configOf("file", "")
	folder.file = t.TempDir()
	for name, c := range map[string]config{
		"no storage": configOf("paper", ""), "no pages": noPages, "no capacity": noCapacity, "no server": noServer, "a folder": folder,
	} {
		var out bytes.Buffer
		if err := run(&out, c, ""); err == nil || out.Len() > 0 {
			t.Errorf("%s: %v, %q", name, err, out.String())
		}
	}
	if err := run(&bytes.Buffer{}, configOf("memory", ""), "::"); err == nil {
		t.Error("a bad URL: no error")
	}
}
