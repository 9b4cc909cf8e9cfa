// Prints the shopping list of each recipe.
package main

import (
	"fmt"
	"strings"
)

// Recipe is what has to be bought for one dish.
type Recipe struct {
	Name  string
	Items []string
}

// pantry holds what every recipe begins with.
func pantry() []string {
	items := make([]string, 0, 8)
	items = append(items, "flour", "salt")
	return items
}

// extend adds items to a list that others begin with too.
func extend(base []string, items ...string) []string {
	list := append(base, items...)
	return list
}

func recipes() []Recipe {
	base := pantry()
	return []Recipe{
		{"bread", extend(base, "yeast")},
		{"cake", extend(base, "sugar", "eggs")},
		{"pasta", extend(base, "semolina")},
	}
}

func main() {
	for _, recipe := range recipes() {
		line := strings.Join(recipe.Items, " ")
		fmt.Printf("%s: %s\n", recipe.Name, line)
	}
}
