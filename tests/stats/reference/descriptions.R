# One group of values: moments, Apdex, quantiles of counts in buckets; and the intraclass correlation.
source("record.R")
buckets <- read.csv("buckets.csv")
for (set in unique(buckets$set)) {
  rows <- buckets[buckets$set == set, ]
  values <- rep(as.numeric(rows$value), rows$count)
  record(set, "moments", c(mean = mean(values), deviation = sd(values)))
  satisfied <- as.numeric(quantile(values, 0.4, type = 1))
  tolerated <- as.numeric(quantile(values, 0.8, type = 1))
  offered <- length(values) + 7
  scores <- ifelse(values <= satisfied, 1, ifelse(values <= tolerated, 0.5, 0))
  record(set, "Apdex", c(
    satisfied = satisfied, tolerated = tolerated, offered = offered, value = sum(scores) / offered))
  for (q in c(0.001, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1)) {
    # Failed requests rank above all others.
    found <- quantile(c(values, rep(Inf, 7)), q, type = 1, names = FALSE)
    record(set, "quantile", setNames(if (is.infinite(found)) NA else found, q))
  }
}

groups <- read.csv("groups.csv")
for (set in unique(groups$set)) {
  rows <- groups[groups$set == set, ]
  squares <- summary(aov(value ~ factor(group), rows))[[1]][["Mean Sq"]]
  sizes <- table(rows$group)
  usual <- (sum(sizes) - sum(sizes^2) / sum(sizes)) / (length(sizes) - 1)
  record(set, "intraclass correlation", c(
    value = (squares[1] - squares[2]) / (squares[1] + (usual - 1) * squares[2])))
}

arms <- read.csv("two_arms.csv")
for (set in unique(arms$set)) {
  values <- arms$value[arms$set == set]
  record(set, "variation", c(deviation = sd(values), coefficient = sd(values) / mean(values)))
}
