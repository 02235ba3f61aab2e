package requisite

import (
	"reflect"
	"strings"
	"testing"
)

// TestEveryListWithPages_HasAnIterator: each method with All reads two pages.
func TestEveryListWithPages_HasAnIterator(t *testing.T) {
	lists := 0
	methods := reflect.TypeFor[*Client]()
	for i := range methods.NumMethod() {
		single := methods.Method(i)
		if single.Type.NumIn() < 3 || single.Type.In(2).Kind() != reflect.Struct || single.Type.NumOut() != 2 {
			continue // not an operation
		}
		data, _ := single.Type.Out(0).FieldByName("Data")
		_, page := single.Type.In(2).FieldByName("Page")
		if _, next := data.Type.FieldByName("Next"); !page || !next {
			continue
		}
		all, ok := methods.MethodByName(single.Name + "All")
		if !ok {
			t.Errorf("%s has no iterator", single.Name)
			continue
		}
		items := ""
		for field := range fields(data.Type) {
			if field.Type.Kind() == reflect.Slice {
				items, _, _ = strings.Cut(field.Tag.Get("json"), ",")
			}
		}
		page1 := answer(200, `{"meta":{"status":"SUCCESS"},"data":{"`+items+`":[{},{}],"next":"m1"}}`)
		page2 := answer(200, `{"meta":{"status":"SUCCESS"},"data":{"`+items+`":[{}],"next":null}}`)
		c, got := serve(t, page1, page2)
		count := 0
		out := all.Func.Call([]reflect.Value{reflect.ValueOf(c), reflect.ValueOf(t.Context()), reflect.Zero(all.Type.In(2))})
		for _, err := range out[0].Seq2() {
			if !err.IsNil() {
				t.Fatal(err)
			}
			count++
		}
		if count != 3 || !strings.Contains((*got)[1].body, `"after":"m1"`) {
			t.Errorf("%s gives %d elements of 3; it asked for %v", all.Name, count, *got)
		}
		lists++
	}
	if lists < 5 {
		t.Error("lists are missing:", lists)
	}
}

func fields(of reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range of.NumField() {
			if !yield(of.Field(i)) {
				return
			}
		}
	}
}
