package faults

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// Proxy forwards connections between two processes, and can cut, stall or delay them. When
// one side closes a connection, the proxy closes the other side at once.
type Proxy struct {
	listener net.Listener
	all      sync.WaitGroup

	mu      sync.Mutex
	targets []string // used in turns
	turn    int
	pairs   map[*pair]bool
	cut     bool
	delay   time.Duration
	flowing chan struct{} // closed unless the proxy stalls
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

// Addr returns the address of the proxy.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// To sets the targets of new connections, which the proxy uses in turns.
func (p *Proxy) To(targets ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.targets = targets
}

// Cut resets all connections, and refuses new ones while it is on.
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

// Stall holds all data while it is on, and forwards it afterwards.
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

// Delay delays all data by a time.
func (p *Proxy) Delay(by time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = by
}

// Close ends all connections, and waits for their goroutines.
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

// pair is a connection with both its sides.
type pair struct {
	from, to *net.TCPConn
	ended    context.Context
	end      context.CancelFunc
}

// reset resets both sides.
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
	cut = p.cut || p.closed // this may have changed during the dial
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

// piece is the data of one read, and its time.
type piece struct {
	bytes []byte
	at    time.Time
	err   error
}

// pump forwards one direction. It keeps reading during a stall, so that it notices at once
// when a side closes.
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
				if !errors.Is(err, io.EOF) { // a reset goes to the other side even during a stall
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

// passes waits until a piece may be forwarded. It returns false if the connection ends
// first.
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
