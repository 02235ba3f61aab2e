module requisite/clients/go

go 1.24
