package faults

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// Proxy is between two parts, and cuts, stalls or delays their connections.
// When one end closes a connection, the other end is closed at once.
type Proxy struct {
	listener net.Listener
	all      sync.WaitGroup

	mu      sync.Mutex
	targets []string // taken in turns
	turn    int
	pairs   map[*pair]bool
	cut     bool
	delay   time.Duration
	flowing chan struct{} // closed while bytes pass
	closed  bool
}

// NewProxy listens on a free address of loopback.
func NewProxy(targets ...string) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: listener, targets: targets, pairs: map[*pair]bool{}, flowing: make(chan struct{})}
	close(p.flowing)
	p.all.Go(p.serve)
	return p, nil
}

// Addr is where it listens.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// To sends the connections that begin from now on elsewhere, in turns.
func (p *Proxy) To(targets ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.targets = targets
}

// Cut resets every connection, and those that begin while it is on.
func (p *Proxy) Cut(on bool) {
	p.mu.Lock()
	p.cut = on
	broken := p.pairs
	if on {
		p.pairs = map[*pair]bool{}
	} else {
		broken = nil
	}
	p.mu.Unlock()
	for c := range broken {
		c.reset()
	}
}

// Stall lets nothing through while it is on; what was sent meanwhile comes
// through afterwards.
func (p *Proxy) Stall(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.flowing:
		if on {
			p.flowing = make(chan struct{})
		}
	default:
		if !on {
			close(p.flowing)
		}
	}
}

// Delay holds every piece back for a time.
func (p *Proxy) Delay(by time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = by
}

// Close ends everything, and waits for it.
func (p *Proxy) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	_ = p.listener.Close()
	p.Cut(true)
	p.all.Wait()
}

func (p *Proxy) serve() {
	for {
		from, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.all.Go(func() { p.connect(from.(*net.TCPConn)) })
	}
}

// pair is one connection, seen from both ends.
type pair struct {
	from, to *net.TCPConn
	ended    context.Context
	end      context.CancelFunc
}

// reset resets both ends.
func (c *pair) reset() {
	c.end()
	for _, conn := range []*net.TCPConn{c.from, c.to} {
		_ = conn.SetLinger(0)
		_ = conn.Close()
	}
}

func (p *Proxy) connect(from *net.TCPConn) {
	refuse := func() {
		_ = from.SetLinger(0)
		_ = from.Close()
	}
	p.mu.Lock()
	cut, target := p.cut || p.closed, p.targets[p.turn%len(p.targets)]
	p.turn++
	p.mu.Unlock()
	if cut {
		refuse()
		return
	}
	to, err := net.DialTimeout("tcp", target, 5*time.Second)
	if err != nil {
		refuse()
		return
	}
	c := &pair{from: from, to: to.(*net.TCPConn)}
	c.ended, c.end = context.WithCancel(context.Background())
	p.mu.Lock()
	cut = p.cut || p.closed // it may have begun meanwhile
	if !cut {
		p.pairs[c] = true
	}
	p.mu.Unlock()
	if cut {
		c.reset()
		return
	}
	var both sync.WaitGroup
	both.Go(func() { p.pump(c, c.from, c.to) })
	both.Go(func() { p.pump(c, c.to, c.from) })
	both.Wait()
	p.mu.Lock()
	delete(p.pairs, c)
	p.mu.Unlock()
	c.end()
	_, _ = c.from.Close(), c.to.Close()
}

// piece is what was read at once, and when.
type piece struct {
	bytes []byte
	at    time.Time
	err   error
}

// pump carries one direction. It goes on reading while nothing may pass, so that
// it learns at once of an end that closes.
func (p *Proxy) pump(c *pair, in, out *net.TCPConn) {
	pieces := make(chan piece, 64)
	go func() {
		defer close(pieces)
		for {
			buffer := make([]byte, 32<<10)
			n, err := in.Read(buffer)
			select {
			case pieces <- piece{buffer[:n], time.Now(), err}:
			case <-c.ended.Done():
				return
			}
			if err != nil {
				if !errors.Is(err, io.EOF) { // broken off: the other end learns of it now
					c.reset()
				}
				return
			}
		}
	}()
	for got := range pieces {
		if !p.passes(c, got.at) {
			return
		}
		if _, err := out.Write(got.bytes); err != nil {
			c.reset()
			return
		}
		if got.err != nil {
			_ = out.CloseWrite()
			return
		}
	}
}

// passes waits until a piece may go on; false when its connection ends first.
func (p *Proxy) passes(c *pair, since time.Time) bool {
	p.mu.Lock()
	flowing, delay := p.flowing, p.delay
	p.mu.Unlock()
	if delay > 0 {
		timer := time.NewTimer(time.Until(since.Add(delay)))
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-c.ended.Done():
			return false
		}
	}
	select {
	case <-flowing:
		return true
	case <-c.ended.Done():
		return false
	}
}
