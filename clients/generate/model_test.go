package generate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// describedList is a description with one operation, thing.list.
func describedList(request, data string) []byte {
	object := `{"type":"object","additionalProperties":false,"properties":{%s}}`
	return fmt.Appendf(nil, `{"info":{"version":"v"},"paths":{"/thing.list":{"post":{
		"requestBody":{"content":{"application/json":{"schema":`+object+`}}},
		"responses":{"200":{"content":{"application/json":{"schema":{"properties":{"data":`+object+`}}}}}}}}}}`, request, data)
}

const (
	page   = `"page":{"type":"object","additionalProperties":false,"properties":{"after":{"type":"string"}}}`
	next   = `"next":{"type":["string","null"]}`
	things = `"things":{"type":"array","items":{"type":"object","additionalProperties":false,"properties":{"id":{"type":"string"}}}}`
)

// TestFiles_HaveAnIteratorForEachList, which the description alone asks for.
func TestFiles_HaveAnIteratorForEachList(t *testing.T) {
	files, err := Files(describedList(page, things+","+next))
	require.NoError(t, err)
	require.Contains(t, string(files["go/generated.go"]), "func (c *Client) ThingListAll(")
	require.Contains(t, string(files["typescript/src/generated.ts"]), `"thing.list": { writes: false, items: "things" }`)
	require.Contains(t, string(files["python/requisite/_calls.py"]), "def thing_list_all(")
	files, err = Files(describedList("", things))
	require.NoError(t, err)
	require.NotContains(t, string(files["go/generated.go"]), "ThingListAll", "a list without pages has no iterator")
}

func TestFiles_RefusePagesThatNoIteratorReads(t *testing.T) {
	for name, description := range map[string][]byte{
		"page without next": describedList(page, things),
		"next without page": describedList("", things+","+next),
		"no list":           describedList(page, next),
		"two lists":         describedList(page, next+","+things+","+strings.Replace(things, "things", "others", 1)),
	} {
		_, err := Files(description)
		require.ErrorContains(t, err, "thing.list", name)
	}
}
