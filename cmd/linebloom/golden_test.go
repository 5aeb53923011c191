package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/asm"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares an output with that of a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	fits(t, name, got)
	path := filepath.Join(home, "testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.ReplaceAll(string(want), "\r\n", "\n"); got != text {
		t.Errorf("%s is not what it was; go test -update accepts it. It is:\n%s\nit was:\n%s", name, got, text)
	}
}

// home is the folder of the tests.
var home, _ = os.Getwd()

func TestGoldenHelp(t *testing.T) {
	t.Setenv("REDIS_URL", "")
	for _, cmd := range allCommands(newRoot(streams{})) {
		path := strings.Fields(cmd.CommandPath())[1:]
		_, out, err := command("", append([]string{"help"}, path...)...)
		golden(t, "help-"+strings.Join(path, "-"), out+err)
	}
	_, out, err := command("")
	golden(t, "help", out+err)
}

func TestGoldenOutputs(t *testing.T) {
	foreign := map[string]string{}
	for _, name := range []string{"fruit.b64", "mike.b64", "tiny.bloom"} {
		b, err := os.ReadFile(testdata(t, name))
		if err != nil {
			t.Fatal(err)
		}
		foreign[name] = string(b)
	}
	t.Chdir(t.TempDir()) // so that names are short
	for name, text := range foreign {
		os.WriteFile(name, []byte(text), 0o666)
	}
	command(count(10_000), "build", "-q", "-o", "seen.lbf")
	command("apple\n", "build", "-q", "-n", "10", "-o", "small.lbf")
	for name, args := range map[string][]string{
		"info":         {"info", "seen.lbf"},
		"info-json":    {"info", "--json", "seen.lbf"},
		"info-small":   {"info", "small.lbf"},
		"info-dcso":    {"info", "tiny.bloom"},
		"info-pybloom": {"info", "mike.b64"},
		"import":       {"import", "--probe", "apple", "fruit.b64"},
		"import-json":  {"import", "--probe", "MIKE", "--json", "mike.b64"},
		"calc-memory":  {"calc", "-n", "10M", "-p", "0.1%"},
		"calc-rate":    {"calc", "-n", "10M", "--mem", "16MiB"},
		"calc-keys":    {"calc", "--mem", "64MiB", "--rate", "1 in 1M"},
		"calc-keys-k":  {"calc", "--mem", "64MiB", "--rate", "1 in 1k", "-k", "8"},
		"calc-bits":    {"calc", "-p", "1e-4"},
		"calc-json":    {"calc", "-n", "10M", "-p", "1e-3", "--json"},
		"calc-none":    {"calc", "-n", "10M", "-p", "1e-9"},
		"calc-table":   {"calc", "--table"},
		"audit":        {"audit", "seen.lbf", "--absent", "seen.lbf.absent"},
		"audit-json":   {"audit", "--json", "seen.lbf", "--absent", "seen.lbf.absent"},
	} {
		os.WriteFile("seen.lbf.absent", []byte(strings.ReplaceAll(count(3000), "\n", "x\n")), 0o666)
		_, out, err := command("", args...)
		golden(t, name, strings.ReplaceAll(out+err, asm.Chosen(), "KERNEL"))
	}
}
