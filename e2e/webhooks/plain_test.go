package webhooks_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// plainServer is the floor: the same number of bytes, posted and thrown away.
type plainServer struct{ *httptest.Server }

func newPlainServer(b *testing.B) plainServer {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusNoContent)
	}))
	b.Cleanup(server.Close)
	return plainServer{server}
}

func (p plainServer) send(b *testing.B, n, atOnce int) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: atOnce}}
	defer client.CloseIdleConnections()
	body := bytes.Repeat([]byte("x"), 900)
	slots := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for range n {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			response, err := client.Post(p.URL, "application/json", bytes.NewReader(body))
			if err != nil {
				b.Error(err)
				return
			}
			_ = response.Body.Close()
		})
	}
	all.Wait()
}
