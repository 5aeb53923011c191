package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// compiled are the values that a C++ program with these hashes prints, compiled by
// g++ 12 for x86-64 without optimisation and, with the same result, with -O2.
// Below the demonstration's words stand words that are too long for 64 bits, or
// not in ASCII.
var compiled = []struct {
	word              string
	hundred, thousand [4]int64 // for 100 and 1000 bits
}{
	{"abound", [4]int64{33, 44, 20, 47}, [4]int64{633, 744, 220, 447}},
	{"abounds", [4]int64{48, 59, 35, 29}, [4]int64{748, 59, 935, 529}},
	{"abundance", [4]int64{29, 2, 46, 21}, [4]int64{929, 602, 346, 921}},
	{"abundant", [4]int64{45, 24, 12, 3}, [4]int64{845, 24, 412, 903}},
	{"accessible", [4]int64{38, 11, 85, 47}, [4]int64{38, 811, 85, 247}},
	{"bloom", [4]int64{37, 60, 64, 82}, [4]int64{537, 560, 764, 482}},
	{"blossom", [4]int64{67, 40, 84, 38}, [4]int64{767, 940, 684, 138}},
	{"bolster", [4]int64{63, 50, 30, 38}, [4]int64{763, 650, 230, 138}},
	{"bonny", [4]int64{50, 49, 57, 82}, [4]int64{550, 249, 157, 482}},
	{"bonus", [4]int64{51, 36, 68, 82}, [4]int64{551, 336, 368, 482}},
	{"bonuses", [4]int64{67, 50, 94, 38}, [4]int64{767, 650, 894, 138}},
	{"coherent", [4]int64{56, 39, 53, 33}, [4]int64{856, 739, 753, 733}},
	{"cohesive", [4]int64{54, 19, 21, 33}, [4]int64{854, 419, 621, 733}},
	{"colorful", [4]int64{70, 27, 37, 33}, [4]int64{870, 127, 737, 733}},
	{"comely", [4]int64{49, 64, 96, 37}, [4]int64{649, 964, 296, 437}},
	{"comfort", [4]int64{62, 89, 49, 47}, [4]int64{762, 289, 749, 747}},
	{"generosity", [4]int64{97, 0, 84, 97}, [4]int64{97, 0, 884, 697}},
	{"generous", [4]int64{72, 37, 19, 93}, [4]int64{872, 137, 119, 393}},
	{"generously", [4]int64{1, 24, 28, 97}, [4]int64{101, 824, 828, 697}},
	{"genial", [4]int64{24, 57, 71, 17}, [4]int64{624, 757, 971, 417}},
	{"bluff", [4]int64{27, 48, 44, 82}, [4]int64{527, 748, 244, 482}},
	{"cheater", [4]int64{32, 29, 69, 47}, [4]int64{732, 529, 969, 747}},
	{"hate", [4]int64{18, 83, 25, 68}, [4]int64{418, 583, 825, 568}},
	{"war", [4]int64{30, 17, 17, 47}, [4]int64{330, 117, 17, 647}},
	{"humanity", [4]int64{79, 20, 36, 8}, [4]int64{879, 320, 936, 808}},
	{"racism", [4]int64{39, 98, 6, 62}, [4]int64{639, 598, 406, 862}},
	{"hurt", [4]int64{51, 26, 98, 68}, [4]int64{451, 126, 998, 568}},
	{"nuke", [4]int64{35, 20, 12, 38}, [4]int64{435, 720, 512, 738}},
	{"gloomy", [4]int64{63, 44, 60, 17}, [4]int64{663, 544, 560, 417}},
	{"facebook", [4]int64{26, 55, 73, 78}, [4]int64{826, 755, 773, 978}},
	{"geeksforgeeks", [4]int64{81, 8, 38, 7}, [4]int64{381, 184, 38, 207}},
	{"twitter", [4]int64{87, 96, 24, 0}, [4]int64{787, 596, 924, 100}},
	{"electroencephalograph", [4]int64{23, -8, 50, 16}, [4]int64{223, -808, 650, 536}},
	{"pneumonoultramicroscopicsilicovolcanoconiosis", [4]int64{80, -8, 17, -8}, [4]int64{880, -808, 317, -808}},
	{"café", [4]int64{-50, -61, 7, 43}, [4]int64{150, -561, 407, 443}},
	{"abcdefghijklmno", [4]int64{60, -8, 17, 29}, [4]int64{560, -808, 417, 729}},
	{"abcdefghijklmn", [4]int64{49, 80, 26, 47}, [4]int64{449, 504, 526, 47}},
	{"zzzzzzzzzzzzzzzzzzzzzz", [4]int64{84, -8, 71, -8}, [4]int64{684, -808, 71, -808}},
	{"zzzzzzzzzzzzzzzzzzzzz", [4]int64{62, -8, 79, -8}, [4]int64{562, -808, 579, -808}},
	{"aaaaaaaaaaaaaaaaaaaaaaa", [4]int64{31, -8, 98, -8}, [4]int64{231, -808, 498, -808}},
	{"AAAAAAAAAAAAAAAAAAAAAA", [4]int64{30, -8, 7, -8}, [4]int64{430, -808, 807, -808}},
	{"éééééééééééé", [4]int64{-76, -8, 31, -8}, [4]int64{-776, -808, 31, -808}},
	{"", [4]int64{0, 1, 7, 3}, [4]int64{0, 1, 7, 3}},
}

func TestHashesAreThoseOfTheCompiler(t *testing.T) {
	for _, c := range compiled {
		if got := hashes(c.word, 100); got != c.hundred {
			t.Errorf("%q, 100 bits: %d, want %d", c.word, got, c.hundred)
		}
		if got := hashes(c.word, 1000); got != c.thousand {
			t.Errorf("%q, 1000 bits: %d, want %d", c.word, got, c.thousand)
		}
	}
}

func TestTheDemonstrationReportsItsFourWords(t *testing.T) {
	if len(words) != 32 || words[0] != "abound" || words[31] != "twitter" {
		t.Fatalf("%d words, %q to %q", len(words), words[0], words[len(words)-1])
	}
	if got, want := report(make(toy, 100)), []string{"bluff", "war", "nuke", "gloomy"}; !slices.Equal(got, want) {
		t.Errorf("100 bits: %q, want %q", got, want)
	}
	if got := report(make(toy, 1000)); got != nil {
		t.Errorf("1000 bits: %q", got)
	}
	for _, w := range words {
		f := make(toy, 100)
		f.AddString(w)
		if !f.HasString(w) {
			t.Errorf("%q was added and is not there", w)
		}
	}
}

func TestLongWordsStayInsideTheToy(t *testing.T) {
	f := make(toy, 1000)
	for _, c := range compiled {
		if f.AddString(c.word); !f.HasString(c.word) {
			t.Errorf("%q was added and is not there", c.word)
		}
	}
}

func TestTheProgramRuns(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	said := out.String()
	for _, want := range []string{
		"100 bits, the four hashes of the demonstration\n  already present: bluff, war, nuke, gloomy\n",
		"1000 bits, the four hashes of the demonstration\n  already present: none\n",
		"linebloom, 512 bits, k = 8\n  already present: none\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the program does not say %q", want)
		}
	}
	for line := range strings.Lines(said) {
		if len(line) > 81 {
			t.Errorf("more than 80 columns: %q", line)
		}
	}
}
