module example.com/urigrep

go 1.19
