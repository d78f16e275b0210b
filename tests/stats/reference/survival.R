# Time to failure: Kaplan-Meier with log-log intervals, the log-rank test, and its exact p value.
suppressPackageStartupMessages(library(survival))
source("record.R")
data <- read.csv("survival.csv")

curve <- function(set, arm, rows) {
  found <- summary(survfit(Surv(time, failed) ~ 1, rows, conf.type = "log-log"))
  for (index in seq_along(found$time)) {
    record(set, paste("Kaplan-Meier", arm, found$time[index]), c(
      probability = found$surv[index], low = found$lower[index], high = found$upper[index]))
  }
  reached <- found$time[found$surv <= 0.5 + 1e-12]
  record(set, paste("median", arm), c(value = if (length(reached)) min(reached) else NA))
}

surplus <- function(rows, first) {
  rows$first <- first
  found <- survdiff(Surv(time, failed) ~ first, rows)
  (found$obs - found$exp)[2]
}

for (set in unique(data$set)) {
  rows <- data[data$set == set, ]
  for (arm in unique(rows$arm)) curve(set, arm, rows[rows$arm == arm, ])
  first <- rows$arm == "baseline"
  found <- survdiff(Surv(time, failed) ~ arm, rows)
  record(set, "log-rank", c(squared = found$chisq, p_value = 1 - pchisq(found$chisq, 1)))
  if (nrow(rows) <= 12) {
    ways <- combn(nrow(rows), sum(first))
    sums <- apply(ways, 2, function(way) surplus(rows, seq_len(nrow(rows)) %in% way))
    extreme <- abs(sums) >= abs(surplus(rows, first)) - 1e-9
    record(set, "exact log-rank", c(p_value = mean(extreme)))
  }
}
