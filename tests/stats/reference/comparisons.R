# Two arms: paired t, Welch, sign flips, superiority, smallest differences; and families of p values.
source("record.R")
data <- read.csv("two_arms.csv")
level <- 0.95

paired <- function(set, scale, x, y) {
  found <- t.test(y, x, paired = TRUE, conf.level = level)
  record(set, paste("paired t", scale), c(
    mean = unname(found$estimate), standard_error = found$stderr,
    p_value = found$p.value, low = found$conf.int[1], high = found$conf.int[2]))
}

welch <- function(set, scale, x, y) {
  found <- t.test(y, x)  # whose interval is by Satterthwaite's degrees of freedom
  degrees <- min(length(x), length(y)) - 1
  reach <- qt((1 + level) / 2, degrees) * found$stderr
  record(set, paste("Welch", scale), c(
    satterthwaite = unname(found$parameter), mean = mean(y) - mean(x), standard_error = found$stderr,
    p_value = 2 * pt(-abs(unname(found$statistic)), degrees),
    low = mean(y) - mean(x) - reach, high = mean(y) - mean(x) + reach))
}

sign_flip <- function(differences) {
  signs <- as.matrix(expand.grid(rep(list(c(-1, 1)), length(differences))))
  sums <- abs(signs %*% differences)
  mean(sums >= abs(sum(differences)) * (1 - 1e-12))
}

superiority <- function(set, x, y) {
  m <- length(x); n <- length(y)
  seen <- unname(wilcox.test(x, y, exact = FALSE)$statistic) / (m * n)
  quantile <- qt((1 + level) / 2, m + n - 2)
  more <- (m + n) / 2 - 1
  score <- function(p) {
    shape <- 1 + more * (1 - p) / (2 - p) + more * p / (1 + p)
    (seen - p)^2 - quantile^2 * p * (1 - p) * shape / (m * n)
  }
  low <- if (seen == 0) 0 else uniroot(score, c(1e-12, min(seen, 1 - 1e-12)), tol = 1e-14)$root
  high <- if (seen == 1) 1 else uniroot(score, c(max(seen, 1e-12), 1 - 1e-12), tol = 1e-14)$root
  record(set, "superiority", c(probability = seen, low = low, high = high))
}

smallest <- function(spread, degrees, level, power) {
  miss <- function(shift) pt(qt(1 - level / 2, degrees), spread, shift) - (1 - power)
  uniroot(miss, c(0, 200), tol = 1e-12)$root
}

for (set in unique(data$set)) {
  x <- data$value[data$set == set & data$arm == "baseline"]
  y <- data$value[data$set == set & data$arm == "other"]
  welch(set, "differences", x, y)
  welch(set, "logarithms", log(x), log(y))
  superiority(set, x, y)
  record(set, "geometric mean", c(baseline = exp(mean(log(x))), other = exp(mean(log(y)))))
  found <- t.test(y, x)
  shift <- smallest(unname(found$parameter), min(length(x), length(y)) - 1, 0.05, 0.9)
  record(set, "smallest difference", c(value = shift * found$stderr))
  if (length(x) == length(y)) {
    paired(set, "differences", x, y)
    paired(set, "logarithms", log(x), log(y))
    record(set, "sign flip", c(p_value = sign_flip(y - x)))
  }
  if (length(x) >= 3) {
    line <- summary(lm(x ~ seq(0, 1, length.out = length(x))))$coefficients
    record(set, "drift", c(mean = line[2, 1], standard_error = line[2, 2], p_value = line[2, 4]))
  }
}

families <- list(
  few = c(0.02, 0.04, 0.01), one = c(0.03), stops = c(0.04, 0.01, 0.03, 0.2),
  ties = c(0.01, 0.01, 0.01, 0.04, 0.5), many = c(0.0001, 0.004, 0.0051, 0.02, 0.03, 0.3, 0.9, 1))
for (set in names(families)) {
  adjusted <- p.adjust(families[[set]], "holm")
  record(set, "Holm", setNames(adjusted, format(families[[set]], scientific = FALSE, trim = TRUE)),
         unique_names = FALSE)
}

for (pairs in c(3, 5, 6, 10, 24)) {
  for (level_and_power in list(c(0.05, 0.8), c(0.05, 0.9), c(0.01, 0.9))) {
    found <- power.t.test(n = pairs, sd = 1, sig.level = level_and_power[1],
                          power = level_and_power[2], type = "paired", tol = 1e-12)
    record(paste(pairs, "pairs", level_and_power[1], level_and_power[2]), "smallest effect",
           c(value = found$delta))
  }
}
