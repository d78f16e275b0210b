# Prints one line a number: set, statistic, name, value with 12 digits.
cat("set,statistic,name,value\n")

record <- function(set, statistic, values, unique_names = TRUE) {
  stopifnot(!unique_names || !any(duplicated(names(values))))
  for (index in seq_along(values)) {
    value <- if (is.na(values[[index]])) "none" else sprintf("%.12g", values[[index]])
    cat(set, statistic, names(values)[index], value, sep = ",")
    cat("\n")
  }
}
