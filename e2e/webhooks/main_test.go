package webhooks_test

import (
	"flag"
	"os"
	"testing"
)

// together is how many of these tests run at once, unless -parallel says otherwise:
// they wait, for a lease or a timeout to pass, more than they compute.
const together = "8"

func TestMain(m *testing.M) {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.parallel" })
	if !asked {
		if err := flag.Set("test.parallel", together); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
