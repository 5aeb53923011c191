package main

import (
	"math"
	"math/big"
)

// The four hashes of the demonstration, for m bits. They are written here as a C++
// compiler for x86-64 translates them, since their values hang on its rules:
//
//   - pow returns a double, so each sum with one is computed in double precision
//     (the usual arithmetic conversions) and only then truncated to 64 bits. From
//     the 12th letter on the product has more than 53 bits and is rounded: of all
//     words here only the h2 of geeksforgeeks differs from integer arithmetic (8
//     instead of 98 for 100 bits), and the words that are reported do not.
//   - A sum of 2^63 or more does not fit; C++ leaves the conversion undefined. The
//     instruction that x86 has for it gives the smallest integer. h2 gets there
//     with the 15th letter, h4 with the 21st or 22nd.
//   - The remainder of a negative number is not positive, so that h2 and h4 of such
//     words may be negative, and index C++'s array before its beginning.
//   - char is signed on x86: a byte above 127, as in UTF-8, counts as negative.
func hashes(s string, m int64) [4]int64 {
	return [4]int64{h1(s, m), h2(s, m), h3(s, m), h4(s, m)}
}

func h1(s string, m int64) int64 {
	h := int64(0)
	for i := range len(s) {
		h = (h + int64(char(s, i))) % m
	}
	return h
}

func h2(s string, m int64) int64 {
	h := int64(1)
	for i := range len(s) {
		h = truncate(float64(h)+float64(pow(19, i)*char(s, i))) % m
	}
	return h
}

func h3(s string, m int64) int64 {
	h := int64(7)
	for i := range len(s) {
		h = (h*31 + int64(char(s, i))) % m
	}
	return h
}

func h4(s string, m int64) int64 {
	h := int64(3)
	for i := range len(s) {
		more := float64(h*7) + float64(char(s, 0)*pow(7, i))
		h = truncate(float64(h)+more) % m
	}
	return h
}

// char returns letter i. The conversions to float64 of products above forbid Go to
// fuse them with the addition behind them, which would round once instead of twice.
func char(s string, i int) float64 { return float64(int8(s[i])) }

// pow returns the double that is nearest to base^i, as C's pow does. Go's math.Pow
// does not promise that.
func pow(base uint64, i int) float64 {
	if i <= 15 { // 19^15 fits into 64 bits
		x := uint64(1)
		for range i {
			x *= base
		}
		return float64(x)
	}
	x := new(big.Int).Exp(new(big.Int).SetUint64(base), big.NewInt(int64(i)), nil)
	f, _ := new(big.Float).SetInt(x).Float64()
	return f
}

// truncate converts as the instruction CVTTSD2SI does.
func truncate(x float64) int64 {
	if x >= -1<<63 && x < 1<<63 {
		return int64(x)
	}
	return math.MinInt64
}
