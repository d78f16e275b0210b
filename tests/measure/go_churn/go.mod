module churn

go 1.24
