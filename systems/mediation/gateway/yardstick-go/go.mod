module loadstone/mediation/yardstick

go 1.24
