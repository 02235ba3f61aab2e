package config

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnnounce_ReportsTheAddresses(t *testing.T) {
	said := Listening{Address: "127.0.0.1:40123", MetricsAddress: "127.0.0.1:40124"}
	read, write := io.Pipe()
	announced := make(chan error, 1)
	go func() { announced <- errors.Join(said.Announce(write), write.Close()) }()
	heard, err := ReadListening(read)
	require.NoError(t, err)
	require.Equal(t, said, heard)
	_ = read.Close()
	<-announced

	_, err = ReadListening(strings.NewReader(""))
	require.ErrorIs(t, err, ErrNoAnnouncement)
	_, err = ReadListening(strings.NewReader(`{"address":"127.0.0.1:4012`))
	require.ErrorIs(t, err, ErrNoAnnouncement, "it ended in the middle")
	_, err = ReadListening(strings.NewReader("panic: no\n"))
	require.ErrorContains(t, err, "read the announced address")
}
