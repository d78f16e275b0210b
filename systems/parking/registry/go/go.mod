module loadstone/parking/registry

go 1.26.0
