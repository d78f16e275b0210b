module loadstone/mediation/gateway

go 1.24
