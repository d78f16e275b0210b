# Analysis of variance of type II, by models that differ in one term; and the mixed model beside it.
suppressPackageStartupMessages(library(nlme))
source("record.R")
data <- read.csv("factorial.csv", stringsAsFactors = TRUE)
data$block <- factor(data$block)

# The terms that do not contain one: each runtime of "nested" is of one gateway.
beside <- function(term, terms, nested) {
  factors <- strsplit(term, ":")[[1]]
  contains <- function(other) {
    others <- strsplit(other, ":")[[1]]
    if (nested && "runtime" %in% others) others <- c(others, "gateway")
    all(factors %in% others)
  }
  terms[!vapply(terms, contains, logical(1))]
}

fit <- function(terms, rows) lm(reformulate(terms, "value"), rows)

for (set in unique(as.character(data$set))) {
  rows <- droplevels(data[data$set == set, ])
  nested <- set == "nested"
  factors <- Filter(function(name) nlevels(rows[[name]]) > 1, c("gateway", "client", "runtime"))
  terms <- c(factors, combn(factors, 2, paste, collapse = ":"))
  if (nested) terms <- setdiff(terms, "gateway:runtime")
  whole <- fit(c("block", terms), rows)
  unit <- deviance(whole) / df.residual(whole)
  total <- sum((rows$value - mean(rows$value))^2)
  share <- function(squares, degrees) max(0, (squares - degrees * unit) / total)
  record(set, "residual", c(degrees = df.residual(whole), unit = unit, total = total))
  for (term in terms) {
    others <- c("block", beside(term, terms, nested))
    without <- fit(others, rows)
    with <- fit(c(others, term), rows)
    degrees <- without$df.residual - with$df.residual
    squares <- deviance(without) - deviance(with)
    if (degrees == 0) {
      record(set, term, c(degrees = 0))
      next
    }
    f_value <- squares / degrees / unit
    record(set, term, c(
      degrees = degrees, share = share(squares, degrees), f_value = f_value,
      p_value = pf(f_value, degrees, df.residual(whole), lower.tail = FALSE)))
  }
  without <- fit(terms, rows)
  record(set, "block", c(share = share(
    deviance(without) - deviance(whole), without$df.residual - whole$df.residual)))
  if (set %in% c("complete", "three factors")) {
    mixed <- anova(lme(reformulate(terms, "value"), random = ~ 1 | block, rows,
                       control = lmeControl(tolerance = 1e-12, msTol = 1e-12)))
    for (term in terms) record(set, paste("mixed", term), c(f_value = mixed[term, "F-value"]))
  }
}
