package author

import (
	"slices"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/requirement"
)

// This file relates the loops over one list: if nobody owns a tenth, nobody owns a quarter.

// maxLoops limits how many loops over one list are related. Others stay independent.
const maxLoops = 6

// noteLoop makes exists or all a test of its list. The value of the list has a bit for each loop:
// whether it is true.
func (c *condition) noteLoop(n *requirement.Node) {
	if n.Name != operators.Exists && n.Name != operators.All {
		return
	}
	list, known := c.find(&quantity{key: "loops over " + canonical(n.List()), row: n.Row, node: n})
	at := slices.IndexFunc(list.loops, func(other *requirement.Node) bool { return alike(n, other) })
	switch {
	case at < 0 && len(list.loops) == maxLoops:
		return
	case at < 0:
		at, list.loops = len(list.loops), append(list.loops, n)
	}
	if !known {
		c.quantities = append(c.quantities, list)
	}
	list.tests = append(list.tests, n)
	c.tests[n] = &test{of: list, holds: func(v value) bool { return v.number.Num().Bit(at) == 1 }}
}

// relateLoops gives what the loops over one list compare the same points.
func (c *condition) relateLoops() {
	for _, list := range c.quantities {
		shared := map[string][]value{}
		for _, q := range c.ofElements(list) {
			shared[q.key] = append(shared[q.key], q.constants...)
		}
		for _, q := range c.ofElements(list) {
			q.constants = shared[q.key]
		}
	}
}

// ofElements returns the quantities that the loops over a list compare.
func (c *condition) ofElements(list *quantity) (found []*quantity) {
	if len(list.loops) < 2 {
		return nil
	}
	for _, q := range c.quantities {
		if q.loops == nil && q.within != nil && slices.Contains(list.loops, q.within) {
			found = append(found, q)
		}
	}
	return found
}

// listValues returns the values that a list can have. A set of loops has a bit for each: exists is
// in the set of an element that fulfills it, and all is in the set of one that does not. The set of
// a list is the union of those of its elements.
func (c *condition) listValues(list *quantity) (values []value) {
	element := c.elementSets(list)
	reached := slices.Clone(element)
	least, _, _ := c.length(list.loops[0].List())
	reached[0] = reached[0] || least == 0
	for added := true; added; {
		added = false
		for set := range reached {
			for more := range element {
				if c.left--; reached[set] && element[more] && !reached[set|more] {
					reached[set|more], added = true, true
				}
			}
		}
	}
	inverted := 0
	for i, loop := range list.loops {
		if loop.Name == operators.All {
			inverted |= 1 << i
		}
	}
	for set, is := range reached {
		if is {
			values = append(values, value{number: whole(set ^ inverted)})
		}
	}
	return values
}

// elementSets reports which sets an element of the list can have, as far as a single quantity says.
func (c *condition) elementSets(list *quantity) []bool {
	byKey := map[string][]*quantity{}
	add := func(key string) []*quantity {
		if byKey[key] == nil {
			byKey[key] = make([]*quantity, len(list.loops))
		}
		return byKey[key]
	}
	add("") // parts that always have the same value
	for _, q := range c.ofElements(list) {
		add(q.key)[slices.Index(list.loops, q.within)] = q
	}
	can := make([]bool, 1<<len(list.loops))
	for set := range can {
		can[set] = true
	}
	for _, quantities := range byKey {
		allowed := c.setsBy(list.loops, quantities)
		for set := range can {
			can[set] = can[set] && allowed[set]
		}
	}
	return can
}

// setsBy is elementSets as far as one quantity says. It has that of each loop, with the same points
// in all, and nil for a loop that does not compare it.
func (c *condition) setsBy(loops []*requirement.Node, quantities []*quantity) []bool {
	tests, points := make([]sides, len(loops)), 0
	for i, loop := range loops {
		p := c.pass(quantities[i])
		tests[i] = p.sides(loop.Test())
		if loop.Name == operators.All {
			tests[i].yes, tests[i].no = tests[i].no, tests[i].yes
		}
		points = max(points, len(p.points))
	}
	allowed := make([]bool, 1<<len(loops))
	for point := range points {
		var in, out int // the loops in whose set the element can be, and those in whose it need not
		for i, s := range tests {
			at := point
			if quantities[i] == nil {
				at = 0
			}
			in |= int(s.yes.Bit(at)) << i
			out |= int(s.no.Bit(at)) << i
		}
		for set := range allowed {
			c.left--
			allowed[set] = allowed[set] || set&^in == 0 && (len(allowed)-1)&^set&^out == 0
		}
	}
	return allowed
}
