package main

import "strings"

// words are those of the classic demonstration, in its order: a white list, then
// a black list, then names of sites. No word is there twice.
var words = strings.Fields(`
	abound abounds abundance abundant accessible bloom blossom bolster bonny
	bonus bonuses coherent cohesive colorful comely comfort generosity generous
	generously genial
	bluff cheater hate war humanity racism hurt nuke gloomy
	facebook geeksforgeeks twitter`)
