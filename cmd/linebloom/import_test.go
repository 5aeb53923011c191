package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestImportFindsTheHash(t *testing.T) {
	fruit, mike, dcso := testdata(t, "fruit.b64"), testdata(t, "mike.b64"), testdata(t, "tiny.bloom")
	for _, c := range []struct {
		name     string
		args     []string
		code     int
		out, err string
	}{
		{"by one word", []string{"--probe", "apple", fruit}, 0, "hash            djb\n", ""},
		{"by several", []string{"--probe", "apple", "--probe", "pear", fruit}, 0, "hash            djb\n", ""},
		{"as it is", []string{"--hash", "djb", mike}, 0, "hash            djb\n", ""},
		{"as it is, with a word", []string{"--hash", "djb", "--probe", "MIKE", mike}, 0, "hash            djb\n", ""},
		{"not at all", []string{mike}, 0, "hash            not known; linebloom import --probe WORD finds it\n", ""},
		{"of DCSO", []string{dcso}, 0, "hash            fnv1\n", ""},
		{"of DCSO, with words", []string{"--probe", "apple", "--probe", "", dcso}, 0, "format          dcso, of DCSO's bloom", ""},
		{"of DCSO in gzip", []string{"--format", "dcso", dcso + ".gz"}, 0, "counted         6\n", ""},
		{"quiet", []string{"-q", "--probe", "apple", fruit}, 0, "", ""},
		{"a word that is not there", []string{"--probe", "apple", "--probe", "mike", fruit}, 1, "", "hash not found: with none of djb, md5"},
		{"a word that is not there, with the hash", []string{"--hash", "djb", "--probe", "mike", fruit}, 1, "", `"mike" is certainly not in it, by the hash djb`},
		{"a word that is not there, in DCSO", []string{"--probe", "mike", dcso}, 1, "", `"mike" is certainly not in it, by the hash fnv1`},
		{"another format", []string{"--format", "pybloom", dcso}, 2, "", "is of the format dcso, not pybloom"},
		{"an unknown format", []string{"--format", "x", dcso}, 2, "", `--format is "x"`},
		{"an unknown hash", []string{"--hash", "x", mike}, 2, "", `--hash is "x"`},
		{"a hash for DCSO", []string{"--hash", "djb", dcso}, 2, "", "whose hash is fnv1"},
		{"nothing", nil, 2, "", "name one filter of another program"},
		{"two", []string{mike, mike}, 2, "", "name one filter of another program"},
		{"standard input", []string{"-"}, 2, "", "cannot come from standard input"},
		{"a missing file", []string{"missing"}, 2, "", "no such file"},
		{"a folder", []string{t.TempDir()}, 2, "", "is a directory"},
		{"text", []string{file(t, "text\n")}, 2, "", "is not a filter file of a format that import knows"},
		{"one of our own", []string{built(t, "a\n")}, 2, "", "is a filter of this library"},
		{"damaged", []string{file(t, "MBITARRAY\x00")}, 2, "", "corrupt filter: it ends within the header"},
		{"force without a file", []string{"--force", mike}, 2, "", "--force is for -o"},
		{"quiet JSON", []string{"-q", "--json", mike}, 2, "", "contradict"},
	} {
		code, out, err := command("", append([]string{"import"}, c.args...)...)
		if code != c.code || !strings.Contains(out, c.out) || (c.out == "") != (out == "") || !strings.Contains(err, c.err) ||
			c.err == "" && err != "" || strings.Count(err, "\n") > 1 {
			t.Errorf("%s: exit %d, out %q, err %q; want %d, %q, %q", c.name, code, out, err, c.code, c.out, c.err)
		}
		fits(t, c.name, out)
	}
}

// An imported filter is opened like any other, and says the same.
func TestImportMakesAFile(t *testing.T) {
	for _, c := range []struct {
		file    string
		args    []string
		stdin   string
		present string
	}{
		{"fruit.b64", []string{"--probe", "apple", "--probe", "banana"}, "apple\nmike\npear\norange\nbanana\n", "apple\npear\norange\nbanana\n"},
		{"mike.b64", []string{"--hash", "djb"}, "mike\nMIKE\n", "MIKE\n"},
		{"tiny.bloom", nil, "last\nmike\napple\n", "last\napple\n"},
		{"tiny.bloom.gz", nil, "last\nmike\napple\n", "last\napple\n"},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, "f.lbi")
		code, said, err := command("", append([]string{"import", "-o", name, testdata(t, c.file)}, c.args...)...)
		if code != 0 || err != "" || !strings.Contains(said, "format          ") {
			t.Fatalf("%s: exit %d, %q, %q", c.file, code, said, err)
		}
		if code, out, err := command(c.stdin, "check", name); code != 0 || out != c.present || err != "" {
			t.Errorf("%s: check: exit %d, %q, %q", c.file, code, out, err)
		}
		if code, out, err := command(c.stdin, "audit", "-q", name, "--absent", "-"); code != 0 || out != c.present {
			t.Errorf("%s: audit: exit %d, %q, %q", c.file, code, out, err)
		}
		// Info says of the copy what import said of the original.
		facts := func(text string) (rows []string) {
			for row := range strings.Lines(text) {
				if name, _, _ := strings.Cut(row, " "); name != "file" && name != "size" && name != "data" {
					rows = append(rows, row)
				}
			}
			return rows
		}
		if code, out, _ := command("", "info", name); code != 0 || strings.Join(facts(out), "") != strings.Join(facts(said), "") {
			t.Errorf("%s: info: exit %d\n%s\nimport said\n%s", c.file, code, out, said)
		}
		if left := contents(t, dir); len(left) != 1 {
			t.Errorf("%s: left behind: %q", c.file, left)
		}
		// It is not replaced unasked, and a damaged one is refused.
		if code, _, err := command("", "import", "-o", name, testdata(t, "tiny.bloom")); code != 2 || !strings.Contains(err, "exists; choose another name") {
			t.Errorf("%s: exit %d, %q", c.file, code, err)
		}
		stat, _ := os.Stat(name)
		damage(t, name, stat.Size()-5)
		if code, out, err := command(c.stdin, "check", name); code != 2 || out != "" || !strings.Contains(err, "checksum of the bits is") {
			t.Errorf("%s: damaged: exit %d, %q, %q", c.file, code, out, err)
		}
		if code, _, err := command("", append([]string{"import", "-q", "--force", "-o", name, testdata(t, c.file)}, c.args...)...); code != 0 || err != "" {
			t.Errorf("%s: by force: exit %d, %q", c.file, code, err)
		}
		if code, out, _ := command(c.stdin, "check", name); code != 0 || out != c.present {
			t.Errorf("%s: replaced: exit %d, %q", c.file, code, out)
		}
	}
}

func TestImportMakesNothingThatCannotBeAsked(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f.lbi")
	for _, c := range []struct {
		args []string
		code int
		err  string
	}{
		{[]string{testdata(t, "mike.b64")}, 2, "the hash of the filter is not known; find it with --probe"},
		{[]string{"--probe", "mike", testdata(t, "mike.b64")}, 1, "hash not found"},
		{[]string{"missing"}, 2, "no such file"},
		{[]string{file(t, "text")}, 2, "is not a filter file"},
	} {
		code, out, err := command("", append([]string{"import", "-o", name}, c.args...)...)
		if code != c.code || out != "" || !strings.Contains(err, c.err) || len(contents(t, dir)) > 0 {
			t.Errorf("%v: exit %d, %q, %q, left %q", c.args, code, out, err, contents(t, dir))
		}
	}
}

func TestImportAndInfoJSON(t *testing.T) {
	for _, args := range [][]string{{"import", "--json", "--hash", "djb", testdata(t, "mike.b64")}, {"info", "--json", "--hash", "djb", testdata(t, "mike.b64")}} {
		code, out, err := command("", args...)
		var facts map[string]any
		if e := json.Unmarshal([]byte(out), &facts); e != nil || code != 0 || err != "" {
			t.Fatalf("%v: exit %d, %v, %q", args, code, e, err)
		}
		for key, want := range map[string]any{
			"file": testdata(t, "mike.b64"), "file_bytes": 276., "format": "pybloom", "hash": "djb", "bits": 2411., "filter_bytes": 302., "k": 17.,
			"capacity": 100., "bits_per_key": 24.11, "target_rate": 0.1, "fill_ratio": 17. / 2411, "estimated_count": 1., "count": nil, "data_bytes": 0.,
		} {
			if facts[key] != want {
				t.Errorf("%v: %s is %v, want %v", args, key, facts[key], want)
			}
			delete(facts, key)
		}
		if len(facts) != 2 || facts["predicted_rate"].(float64) > 1e-5 || facts["current_rate"].(float64) > 1e-30 {
			t.Errorf("%v: untested facts: %v", args, facts)
		}
	}
}
