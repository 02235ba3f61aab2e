package db_test

import (
	"testing"

	"requisite/internal/store/pgtest"
)

var server *pgtest.Server

func TestMain(m *testing.M) { pgtest.Main(m, func(s *pgtest.Server) { server = s }) }

// only is the error of a call that has one more result.
func only[T any](_ T, err error) error { return err }
