# Tests of whole curves and smooth curves by R's pROC, written as JSON to the standard output.
#
#   Rscript tests/proc/make_curves.R > tests/proc/curves.json
#
# Run from the project's root; needs R and the package pROC (Debian: r-cran-proc). The data are those
# of golden.json; scores that tie are replaced by rank(x, ties.method="first"), which is what
# pROC's test of Venkatraman does itself, so that row order decides nothing that is compared.

Sys.setenv(LANGUAGE = "en")
suppressPackageStartupMessages(library(pROC))

breast_cancer <- read.csv("examples/breast_cancer.csv")
asah <- transform(pROC::aSAH[c("outcome", "s100b", "ndka", "wfns")],
  outcome = as.integer(outcome == "Poor"), wfns = as.integer(wfns)
)
label <- list(breast_cancer = breast_cancer$malignant, asah = asah$outcome)
column <- function(data, score) get(data)[[score]]
ranked <- function(data, score, rows = TRUE) rank(column(data, score)[rows], ties.method = "first")
curve <- function(data, score, rows = TRUE) {
  roc(label[[data]][rows], ranked(data, score, rows), levels = c(0, 1), direction = "<")
}

number <- function(x) {
  for (digits in 15:17) {
    text <- sprintf("%.*g", digits, x)
    if (as.numeric(text) == x) break
  }
  text
}
json <- function(x) {
  if (is.list(x) && !is.null(names(x))) {
    return(paste0("{", paste0('"', names(x), '": ', vapply(x, json, ""), collapse = ", "), "}"))
  }
  if (is.list(x)) return(paste0("[\n    ", paste(vapply(x, json, ""), collapse = ",\n    "), "\n  ]"))
  one <- if (is.character(x)) function(v) paste0('"', v, '"') else number
  parts <- vapply(x, one, "", USE.NAMES = FALSE)
  if (length(x) == 1) parts else paste0("[", paste(parts, collapse = ", "), "]")
}

pairs <- list(
  list("asah", "s100b", "ndka"), list("asah", "s100b", "wfns"), list("asah", "ndka", "wfns"),
  list("breast_cancer", "logistic", "naive_bayes"), list("breast_cancer", "naive_bayes", "forest")
)
times <- function(data) if (data == "asah") 4000 else 500

paired <- lapply(pairs, function(p) {
  set.seed(1996)
  found <- roc.test(curve(p[[1]], p[[2]]), curve(p[[1]], p[[3]]), method = "venkatraman",
    paired = TRUE, boot.n = times(p[[1]]), progress = "none")
  list(data = p[[1]], curves = c(p[[2]], p[[3]]), boot_n = times(p[[1]]),
    E = unname(found$statistic), p_value = found$p.value,
    call = "roc.test(curve1, curve2, method='venkatraman', paired=TRUE, boot.n=boot_n)")
})

odd <- c(TRUE, FALSE)
even <- c(FALSE, TRUE)
unpaired <- lapply(pairs, function(p) {
  cut <- if (p[[1]] == "asah") 112 else 568 # as many rows in both halves
  one <- seq_len(cut)[odd]
  two <- seq_len(cut)[even]
  set.seed(2000)
  found <- roc.test(curve(p[[1]], p[[2]], one), curve(p[[1]], p[[3]], two), method = "venkatraman",
    paired = FALSE, boot.n = times(p[[1]]), progress = "none")
  list(data = p[[1]], curves = c(p[[2]], p[[3]]), rows = cut, boot_n = times(p[[1]]),
    E = unname(found$statistic), p_value = found$p.value,
    call = "roc.test(odd rows, even rows, method='venkatraman', paired=FALSE, boot.n=boot_n)")
})

# pROC 1.18 divides the cases by length(D1) + length(D1), so that the mixing proportion is that of
# the data only for samples of equal size; the statistic itself takes any.
unequal <- lapply(pairs, function(p) {
  n <- length(label[[p[[1]]]])
  one <- seq_len(n)[seq_len(n) %% 4 == 1]
  two <- seq_len(n)[seq_len(n) %% 4 != 1]
  y <- label[[p[[1]]]]
  list(data = p[[1]], curves = c(p[[2]], p[[3]]),
    E = pROC:::venkatraman.unpaired.stat(ranked(p[[1]], p[[2]], one), ranked(p[[1]], p[[3]], two),
      y[one], y[two], c(0, 1), c(0, 1), mean(y)),
    call = "pROC:::venkatraman.unpaired.stat(R, S, D1, D2, levels, levels, mp=mean(c(D1, D2)))")
})

smoothed <- unlist(lapply(list(
  list("asah", "s100b"), list("asah", "ndka"), list("asah", "wfns"),
  list("breast_cancer", "logistic"), list("breast_cancer", "naive_bayes")
), function(p) {
  lapply(c("binormal", "density"), function(method) {
    found <- smooth(roc(label[[p[[1]]]], column(p[[1]], p[[2]]), levels = c(0, 1), direction = "<"),
      method = method, n = 4096)
    out <- list(data = p[[1]], curve = p[[2]], method = method, auc = as.numeric(auc(found)),
      se_at_sp_90 = as.numeric(coords(found, 0.9, input = "specificity", ret = "sensitivity")),
      call = "smooth(roc(y, x), method=method, n=4096)")
    if (method == "density") out$bw <- stats::bw.nrd0(column(p[[1]], p[[2]]))
    else out$coefficients <- unname(found$model$coefficients)
    out
  })
}), recursive = FALSE)

about <- list(R = paste(R.version$major, R.version$minor, sep = "."),
  pROC = as.character(packageVersion("pROC")))
parts <- list(about = about, paired = paired, unpaired = unpaired, unequal = unequal, smooth = smoothed)
cat("{\n", paste0('  "', names(parts), '": ', vapply(parts, json, ""), collapse = ",\n"), "\n}\n", sep = "")
