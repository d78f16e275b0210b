module loadstone.dev/conformance

go 1.26
