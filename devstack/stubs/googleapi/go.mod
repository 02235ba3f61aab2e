module google.golang.org/api

go 1.26.8
