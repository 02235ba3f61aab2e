package main

import (
	"net/netip"
	"sync"

	"github.com/google/uuid"
)

// parts divides a limited resource among its holders: one holder gets at most a
// part of it.
type parts struct {
	all, each int64
	changed   func(by int64) // measures what is given out; may be nil

	mu    sync.Mutex
	taken int64
	by    map[holder]int64
}

// holder is the address of callers who are not authenticated yet, or the
// organization of those who are.
type holder struct {
	address      netip.Prefix
	organization uuid.UUID
	proxy        bool // a trusted one, which is not limited to a part: it has many callers
}

func newParts(all, each int64, changed func(by int64)) *parts {
	return &parts{all: all, each: each, changed: changed, by: map[holder]int64{}}
}

// lack is why nothing was given out.
type lack int

const (
	lackNothing lack = iota
	lackOfAll        // there is none left for anybody
	lackOfEach       // the holder has its part
)

func (l lack) String() string {
	switch l {
	case lackOfAll:
		return "all"
	case lackOfEach:
		return "address"
	}
	return ""
}

// take gives n to a holder, or returns why not.
func (s *parts) take(from holder, n int64) lack {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !from.proxy && s.by[from]+n > s.each:
		return lackOfEach
	case s.taken+n > s.all:
		return lackOfAll
	}
	s.add(from, n)
	return lackNothing
}

// move transfers n from one holder to another, or returns why not.
func (s *parts) move(from, to holder, n int64) lack {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by[to]+n > s.each {
		return lackOfEach
	}
	s.add(from, -n)
	s.add(to, n)
	return lackNothing
}

// give takes n back.
func (s *parts) give(from holder, n int64) {
	if n == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(from, -n)
}

func (s *parts) add(from holder, n int64) {
	s.taken += n
	if s.by[from] += n; s.by[from] == 0 {
		delete(s.by, from) // only holders of something are kept
	}
	if s.changed != nil {
		s.changed(n)
	}
}
