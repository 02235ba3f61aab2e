package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTellLack_ContinuesTheTraceOfTheRequest(t *testing.T) {
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	handler := tellLack(http.NotFoundHandler(), func(err error) { require.NoError(t, err) })
	r := httptest.NewRequestWithContext(context.WithValue(t.Context(), connKey{}, &limitedConn{lack: lackOfEach}), http.MethodPost, "/", nil)
	r.Header.Set("traceparent", "00-"+trace+"-00f067aa0ba902b7-01")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	require.Equal(t, http.StatusTooManyRequests, w.Code)
	require.Contains(t, w.Header().Get("traceparent"), trace)
	require.Equal(t, "close", w.Header().Get("Connection"))
}
