package status_test

import (
	"testing"

	"requisite/starter/startertest"
)

func TestMain(m *testing.M) { startertest.Main(m) }
