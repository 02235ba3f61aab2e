package parts

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// RunTogether runs a package's tests, so many at once unless -parallel says otherwise.
// It is for tests that wait, for a lease or a timeout to pass, more than they compute.
func RunTogether(m *testing.M, tests int) {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.parallel" })
	if !asked {
		if err := flag.Set("test.parallel", strconv.Itoa(tests)); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
