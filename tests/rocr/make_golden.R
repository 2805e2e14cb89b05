# Reference numbers from R's ROCR, written as JSON to the standard output.
#
#   Rscript tests/rocr/make_golden.R > tests/rocr/golden.json
#
# Run from the project's root; needs R and the package ROCR. Each record keeps the text of the R
# call beside its value, and the value comes from evaluating that very text.

Sys.setenv(LANGUAGE = "en")
suppressPackageStartupMessages(library(ROCR))

# --- the data: named here as in the calls --------------------------------------------------------

# Fawcett (2006), An introduction to ROC analysis, Figure 3: 20 instances
fawcett <- data.frame(
  label = c(1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0),
  score = c(.9, .8, .7, .6, .55, .54, .53, .52, .51, .505, .4, .39, .38, .37, .36, .35, .34, .33,
    .3, .1)
)
tied <- data.frame(
  label = c(0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0),
  score = c(1, 2, 4, 1, 5, 3, 3, 2, 5, 1, 2, 4, 4, 3, 2, 1, 5, 3, 2, 4, 1, 3, 5, 2)
)
perfect <- data.frame(label = c(0, 0, 0, 1, 1, 1, 1), score = c(1, 2, 3, 4, 5, 6, 7))
worst <- data.frame(label = c(1, 1, 1, 0, 0, 0, 0), score = c(1, 2, 3, 4, 5, 6, 7))
constant <- data.frame(label = c(0, 1, 0, 1, 1), score = c(3, 3, 3, 3, 3))
rare <- data.frame(
  label = rep(c(0, 0, 0, 0, 1, 0, 0, 0, 0, 0), 4),
  score = c(3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2,
    7, 9, 5, 0, 2, 8, 8, 4, 1, 9, 7)
)
datasets <- c("fawcett", "tied", "perfect", "worst", "constant", "rare")
prices <- list(c(1, 1), c(1, 5), c(4, 1), c(0.3, 0.7), c(0, 2), c(1, 0))

# --- JSON by hand: numbers with 17 digits, which give them back exactly --------------------------

numbers <- function(x) paste0("[", paste(sprintf("%.17g", as.numeric(x)), collapse = ", "), "]")
string <- function(x) paste0('"', gsub('"', '\\"', x, fixed = TRUE), '"')
record <- function(...) {
  parts <- list(...)
  paste0("{", paste0(string(names(parts)), ": ", unlist(parts), collapse = ", "), "}")
}
block <- function(name, items) {
  paste0("  ", string(name), ": [\n", paste0("    ", items, collapse = ",\n"), "\n  ]")
}
value <- function(call) eval(parse(text = call), globalenv())

# --- records -------------------------------------------------------------------------------------

prediction_text <- function(data) sprintf("prediction(%s$score, %s$label)", data, data)

data <- vapply(datasets, function(d) {
  record(name = string(d), label = numbers(get(d)$label), score = numbers(get(d)$score))
}, "")

# x is the probability cost PC(+), y the normalised expected cost at the corners of the envelope
expected_cost <- vapply(datasets, function(d) {
  call <- sprintf('performance(%s, "ecost")', prediction_text(d))
  found <- value(call)
  record(data = string(d), call = string(call), probability_cost = numbers(found@x.values[[1]]),
    expected_cost = numbers(found@y.values[[1]]))
}, "")

# the cheapest of all cutoffs, per item
explicit_cost <- unlist(lapply(datasets, function(d) {
  vapply(prices, function(price) {
    call <- sprintf('min(performance(%s, "cost", cost.fp=%s, cost.fn=%s)@y.values[[1]])',
      prediction_text(d), price[1], price[2])
    record(data = string(d), cost_fp = price[1], cost_fn = price[2], call = string(call),
      value = sprintf("%.17g", value(call)))
  }, "")
}))

about <- paste0("  ", string("about"), ": ", record(
  what = string("Reference numbers from R; made by tests/rocr/make_golden.R."),
  versions = record(R = string(as.character(getRversion())),
    ROCR = string(as.character(packageVersion("ROCR"))))
))
cat("{\n", paste(c(about, block("data", data), block("expected_cost", expected_cost),
  block("explicit_cost", explicit_cost)), collapse = ",\n"), "\n}\n", sep = "")
