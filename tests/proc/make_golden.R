# Reference numbers from R's pROC, written as JSON to the standard output.
#
#   Rscript tests/proc/make_golden.R > tests/proc/golden.json
#
# Run from the project's root; needs R and the package pROC. Each record keeps the text of the R
# call beside its value, and the value comes from evaluating that very text.

Sys.setenv(LANGUAGE = "en")
suppressPackageStartupMessages(library(pROC))

# --- the data: named here as in the calls --------------------------------------------------------

breast_cancer_file <- "examples/breast_cancer.csv"
breast_cancer <- read.csv(breast_cancer_file)
asah <- transform(pROC::aSAH[c("outcome", "s100b", "ndka", "wfns")],
  outcome = as.integer(outcome == "Poor"), wfns = as.integer(wfns)
)
tied <- data.frame(
  label = c(0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0),
  five  = c(1, 2, 4, 1, 5, 3, 3, 2, 5, 1, 2, 4, 4, 3, 2, 1, 5, 3, 2, 4, 1, 3, 5, 2),
  three = c(1, 1, 2, 2, 3, 2, 1, 3, 3, 2, 2, 1, 3, 1, 2, 1, 2, 2, 1, 3, 1, 3, 2, 2)
)
separated <- data.frame(
  label       = c(0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1),
  perfect     = c(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
  perfect_too = c(0.1, 0.1, 0.2, 0.3, 0.3, 0.3, 0.5, 0.5, 0.6, 0.9, 0.9, 0.9),
  worst       = c(12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1),
  constant    = c(3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3),
  mixed       = c(1, 4, 2, 5, 9, 3, 6, 5, 8, 10, 4, 12)
)
lone <- data.frame(label = c(0, 0, 1, 0, 0, 0), score = c(1, 5, 4, 2, 3, 6))

# 60 clusters of 1 to 5 units, of both classes or of one, with a part of each score shared by the
# cluster; one decimal, so that scores tie. The rows are written out in the JSON.
make_clustered <- function() {
  set.seed(1997, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  size <- rep(c(3, 1, 5, 2, 4, 2), 10)
  cluster <- rep(seq_along(size), size)
  risk <- rnorm(length(size))[cluster]
  diseased <- as.integer(risk + rnorm(length(cluster)) > 0.4)
  shared <- rnorm(length(size))[cluster]
  first <- round(1.2 * diseased + 0.8 * shared + 0.8 * rnorm(length(cluster)), 1)
  second <- round(0.8 * diseased + 0.7 * shared + 0.5 * risk + 0.7 * rnorm(length(cluster)), 1)
  data.frame(cluster, diseased, first = first + 0, second = second + 0)
}
clustered <- make_clustered()

curves <- list(
  breast_cancer = c("logistic", "naive_bayes", "forest"),
  asah = c("s100b", "ndka", "wfns"),
  tied = c("five", "three"),
  separated = c("perfect", "perfect_too", "worst", "constant", "mixed"),
  lone = "score",
  clustered = c("first", "second")
)
labels <- list(
  breast_cancer = "malignant", asah = "outcome", tied = "label", separated = "label",
  lone = "label", clustered = "diseased"
)

# --- Obuchowski (1997), Biometrics 53, 567-578: the clustered covariance of two areas ------------

placements <- function(label, score) {
  wins <- outer(score[label == 1], score[label == 0], function(x, y) (x > y) + (x == y) / 2)
  unit <- numeric(length(score))
  unit[label == 1] <- rowMeans(wins)
  unit[label == 0] <- colMeans(wins)
  list(unit = unit, auc = mean(wins))
}

# For cluster i with m_i diseased and n_i healthy units: the sums of their placements, less what
# m_i and n_i units of the area A would add up to.
cluster_sums <- function(label, score, cluster) {
  part <- placements(label, score)
  total <- function(kind) as.vector(tapply((part$unit - part$auc) * (label == kind), cluster, sum))
  list(auc = part$auc, diseased = total(1), healthy = total(0))
}

clustered_cov <- function(label, score1, score2, cluster) {
  one <- cluster_sums(label, score1, cluster)
  two <- cluster_sums(label, score2, cluster)
  m <- sum(label == 1)
  n <- sum(label == 0)
  I <- length(unique(cluster))
  I10 <- length(unique(cluster[label == 1]))
  I01 <- length(unique(cluster[label == 0]))
  S10 <- I10 / ((I10 - 1) * m) * sum(one$diseased * two$diseased)
  S01 <- I01 / ((I01 - 1) * n) * sum(one$healthy * two$healthy)
  S11_12 <- I / (I - 1) * sum(one$diseased * two$healthy)
  S11_21 <- I / (I - 1) * sum(two$diseased * one$healthy)
  list(
    auc = c(one$auc, two$auc), m = m, n = n, I = I, I10 = I10, I01 = I01,
    S10 = S10, S01 = S01, S11_12 = S11_12, S11_21 = S11_21,
    covariance = S10 / m + S01 / n + (S11_12 + S11_21) / (m * n)
  )
}

clustered_test <- function(label, score1, score2, cluster) {
  cov <- function(a, b) clustered_cov(label, a, b, cluster)$covariance
  difference <- placements(label, score1)$auc - placements(label, score2)$auc
  se <- sqrt(cov(score1, score1) + cov(score2, score2) - 2 * cov(score1, score2))
  list(
    difference = difference, se = se, statistic = difference / se,
    p_value = 2 * pnorm(-abs(difference / se)), conf_int = difference + c(-1, 1) * qnorm(0.975) * se
  )
}

# --- JSON by hand: numbers with as many digits as give them back exactly -------------------------

json_number <- function(x) {
  if (is.nan(x)) return('"NaN"')
  if (is.na(x)) return('"NA"')
  if (is.infinite(x)) return(if (x > 0) '"Inf"' else '"-Inf"')
  for (digits in 15:17) {
    text <- sprintf("%.*g", digits, x)
    if (as.numeric(text) == x) break
  }
  text
}

json_string <- function(x) {
  x <- gsub("\\", "\\\\", x, fixed = TRUE)
  x <- gsub('"', '\\"', x, fixed = TRUE)
  paste0('"', gsub("\n", "\\n", x, fixed = TRUE), '"')
}

json <- function(x) {
  if (is.null(x)) return("null")
  if (is.list(x) && !is.null(names(x))) {
    return(paste0("{", paste0(vapply(names(x), json_string, ""), ": ", vapply(x, json, ""),
      collapse = ", "), "}"))
  }
  one <- if (is.list(x)) json else if (is.character(x)) json_string else
    if (is.logical(x) && !anyNA(x)) function(v) if (v) "true" else "false" else json_number
  parts <- vapply(x, one, "", USE.NAMES = FALSE)
  if (length(x) == 1 && !is.list(x) && !inherits(x, "AsIs")) return(parts)
  paste0("[", paste(parts, collapse = ", "), "]")
}

array <- function(x) I(unname(x)) # an array even where it has one element

# --- records -------------------------------------------------------------------------------------

plain <- function(x) as.numeric(x)
as_interval <- function(x) list(lower = x[1], auc = x[2], upper = x[3])
as_test <- function(x) {
  out <- list(estimate = array(as.numeric(x$estimate)), statistic = unname(x$statistic))
  if (!is.null(x$parameter)) out$df <- unname(x$parameter)
  out$p_value <- x$p.value
  if (!is.null(x$conf.int)) out$conf_int <- array(as.numeric(x$conf.int))
  out
}
as_power <- function(x) {
  keep <- c("ncases", "ncontrols", "auc", "auc1", "auc2", "sig.level", "power")
  x <- lapply(unclass(x)[intersect(keep, names(x))], as.numeric)
  setNames(x, gsub(".", "_", names(x), fixed = TRUE))
}
as_arrays <- function(x) lapply(x, function(v) if (length(v) > 1) array(v) else v)

record <- function(call, ..., shape = plain) {
  warned <- character()
  value <- withCallingHandlers(eval(parse(text = call), globalenv()), warning = function(w) {
    warned <<- c(warned, conditionMessage(w))
    invokeRestart("muffleWarning")
  })
  out <- c(list(...), list(call = call, value = shape(value)))
  if (length(warned)) out$warnings <- array(unique(warned))
  out
}

roc_text <- function(data, score, rows = "") {
  from <- if (rows == "") data else sprintf("%s[%s, ]", data, rows)
  sprintf('roc(%s$%s, %s$%s, levels=c(0, 1), direction="<")', from, labels[[data]], from, score)
}
text <- function(...) sprintf(...)
pairs_of <- function(data, ordered = FALSE) {
  pairs <- combn(curves[[data]], 2, simplify = FALSE)
  if (ordered) c(pairs, lapply(pairs, rev)) else pairs
}
one_curve <- function(datasets, make) {
  unlist(lapply(datasets, function(d) unlist(lapply(curves[[d]], function(s) make(d, s)),
    recursive = FALSE)), recursive = FALSE)
}
two_curves <- function(datasets, make, ordered = FALSE) {
  unlist(lapply(datasets, function(d) unlist(lapply(pairs_of(d, ordered), function(p) make(d, p)),
    recursive = FALSE)), recursive = FALSE)
}
main <- c("breast_cancer", "asah")
small <- c(main, "tied", "separated", "clustered")

golden <- list()

golden$auc <- one_curve(names(curves), function(d, s) {
  list(record(text("auc(%s)", roc_text(d, s)), data = d, curve = s))
})

golden$auc_variance <- one_curve(names(curves), function(d, s) {
  list(record(text('pROC::var(%s, method="delong")', roc_text(d, s)), data = d, curve = s))
})

golden$auc_interval <- one_curve(names(curves), function(d, s) {
  lapply(c(0.95, 0.90), function(level) {
    record(text('ci.auc(%s, method="delong", conf.level=%s)', roc_text(d, s), level),
      data = d, curve = s, conf_level = level, shape = as_interval)
  })
})

golden$auc_covariance <- two_curves(small, function(d, p) {
  list(record(text('pROC::cov(%s, %s, method="delong")', roc_text(d, p[1]), roc_text(d, p[2])),
    data = d, curves = p))
})

golden$paired_test <- two_curves(small, function(d, p) {
  rows <- list(c("two.sided", 0.95), c("two.sided", 0.90), c("less", 0.95), c("greater", 0.95))
  lapply(rows, function(row) {
    record(
      text('roc.test(%s, %s, paired=TRUE, method="delong", alternative="%s", conf.level=%s)',
        roc_text(d, p[1]), roc_text(d, p[2]), row[1], row[2]),
      data = d, curves = p, alternative = row[1], conf_level = as.numeric(row[2]), shape = as_test
    )
  })
})

# Odd rows are the 1st, 3rd, 5th, ... (Python's [0::2]), even rows the 2nd, 4th, ... ([1::2]).
unpaired <- function(d, p, alternatives) {
  lapply(alternatives, function(alternative) {
    record(
      text('roc.test(%s, %s, paired=FALSE, method="delong", alternative="%s")',
        roc_text(d, p[1], "c(TRUE, FALSE)"), roc_text(d, p[2], "c(FALSE, TRUE)"), alternative),
      data = d, curves = array(p), rows = array(c("odd", "even")), alternative = alternative,
      shape = as_test
    )
  })
}
halved <- c(main, "tied")
golden$unpaired_test <- c(
  one_curve(halved, function(d, s) unpaired(d, c(s, s), c("two.sided", "less", "greater"))),
  two_curves(halved, function(d, p) unpaired(d, p, "two.sided"))
)

golden$partial_auc <- one_curve(c(main, "tied", "separated"), function(d, s) {
  rows <- list(
    list(c(1, 0.8), "specificity"), list(c(1, 0.8), "sensitivity"), list(c(0.9, 0.6), "specificity")
  )
  unlist(lapply(rows, function(row) lapply(c(FALSE, TRUE), function(correct) {
    record(
      text(paste0("auc(%s, partial.auc=c(%s, %s), partial.auc.focus=\"%s\", ",
        "partial.auc.correct=%s)"), roc_text(d, s), row[[1]][1], row[[1]][2], row[[2]], correct),
      data = d, curve = s, range = row[[1]], focus = row[[2]], correct = correct
    )
  })), recursive = FALSE)
})

golden$bootstrap_variance <- one_curve(c(main, "tied"), function(d, s) {
  lapply(c(TRUE, FALSE), function(stratified) {
    record(
      text(paste0('{set.seed(1982); pROC::var(%s, method="bootstrap", boot.n=10000, ',
        'boot.stratified=%s, progress="none")}'), roc_text(d, s), stratified),
      data = d, curve = s, stratified = stratified, seed = 1982, boot_n = 10000
    )
  })
})

both_sides <- c("two.sided", "one.sided")
given <- function(x) paste(names(x), x, sep = "=", collapse = ", ")
under <- function(x) setNames(x, gsub(".", "_", names(x), fixed = TRUE))
golden$power_one_curve <- unlist(lapply(list(
  list(auc = 0.73, ncases = 41, ncontrols = 72, sig.level = 0.05),
  list(auc = 0.73, ncases = 41, ncontrols = 72, sig.level = 0.01),
  list(auc = 0.6, ncases = 50, ncontrols = 50, sig.level = 0.05),
  list(auc = 0.9, ncases = 10, ncontrols = 30, sig.level = 0.05),
  list(auc = 0.4, ncases = 50, ncontrols = 50, sig.level = 0.05),
  list(auc = 0.73, power = 0.95, kappa = 1.7, sig.level = 0.05),
  list(auc = 0.7, power = 0.9, kappa = 1, sig.level = 0.05),
  list(auc = 0.8, power = 0.8, kappa = 0.5, sig.level = 0.01),
  list(auc = 0.95, power = 0.9, kappa = 4, sig.level = 0.05),
  list(auc = 0.73, ncases = 41, ncontrols = 72, power = 0.95, sig.level = "NULL")
), function(args) lapply(both_sides, function(side) {
  record(text('power.roc.test(%s, alternative="%s")', given(args), side),
    given = under(args[args != "NULL"]), alternative = side, shape = as_power)
})), recursive = FALSE)

golden$power_paired_curves <- two_curves(main, function(d, p) {
  unlist(lapply(list(
    list(sig.level = 0.05), list(sig.level = 0.05, power = 0.9),
    list(sig.level = 0.01, power = 0.8, kappa = 1), list(sig.level = "NULL", power = 0.9)
  ), function(args) lapply(both_sides, function(side) {
    record(
      text('power.roc.test(%s, %s, %s, alternative="%s")', roc_text(d, p[1]), roc_text(d, p[2]),
        given(args), side),
      data = d, curves = p, given = under(args[args != "NULL"]), alternative = side,
      shape = as_power
    )
  })), recursive = FALSE)
}, ordered = TRUE)

golden$power_parameters <- unlist(lapply(list(
  list(A1 = 2.6, B1 = 1, A2 = 1.9, B2 = 1, rn = 0.6, ra = 0.6, FPR11 = 0, FPR12 = 0.2, FPR21 = 0,
    FPR22 = 0.2, delta = 0.037),
  list(A1 = 2.6, B1 = 1, A2 = 1.9, B2 = 1, rn = 0.6, ra = 0.6, delta = 0.0566),
  list(A1 = 1.5, B1 = 0.8, A2 = 1, B2 = 1.1, rn = 0.5, ra = 0.3, delta = 0.13)
), function(pars) unlist(lapply(list(
  list(sig.level = 0.05, power = 0.8), list(sig.level = 0.05, power = 0.9, kappa = 2),
  list(sig.level = 0.05, ncases = 107), list(sig.level = 0.05, ncases = 60, ncontrols = 150)
), function(args) lapply(both_sides, function(side) {
  record(text('power.roc.test(list(%s), %s, alternative="%s")', given(pars), given(args), side),
    parameters = pars, given = under(args), alternative = side, shape = as_power)
})), recursive = FALSE)), recursive = FALSE)

golden$wilson_interval <- unlist(lapply(
  list(c(0, 10), c(10, 10), c(3, 17), c(81, 263), c(1, 2), c(0, 1), c(29, 30), c(500, 1000)),
  function(count) lapply(c(0.95, 0.90, 0.99), function(level) {
    record(text("prop.test(%s, %s, conf.level=%s, correct=FALSE)$conf.int", count[1], count[2],
      level), count = count[1], total = count[2], conf_level = level)
  })
), recursive = FALSE)

golden$holm <- lapply(list(
  c(0.01, 0.02, 0.03), c(0.04, 0.01, 0.04, 0.01), c(0.02, 0.02, 0.02), c(0.5, 0.6, 0.001, 0.6),
  c(1, 0, 1, 0.3), c(0.03), c(0.049, 0.012, 0.012, 0.2, 0.0004, 0.049)
), function(p) {
  record(text('p.adjust(c(%s), method="holm")', paste(p, collapse = ", ")), p = array(p),
    shape = array)
})

clustered_text <- function(what, s1, s2) {
  text("%s(clustered$diseased, clustered$%s, clustered$%s, clustered$cluster)", what, s1, s2)
}
golden$clustered_covariance <- lapply(
  list(c("first", "first"), c("second", "second"), c("first", "second")), function(p) {
    record(clustered_text("clustered_cov", p[1], p[2]), data = "clustered", curves = p,
      shape = as_arrays)
  }
)
golden$clustered_test <- list(record(clustered_text("clustered_test", "first", "second"),
  data = "clustered", curves = c("first", "second"), shape = as_arrays))

# Every unit its own cluster: the formula must give DeLong's numbers back.
golden$clustered_reduction <- unlist(lapply(c(main, "tied", "clustered"), function(d) {
  lapply(c(lapply(curves[[d]], rep, 2), pairs_of(d)), function(p) {
    out <- record(
      text("clustered_cov(%s$%s, %s$%s, %s$%s, seq_len(nrow(%s)))$covariance", d, labels[[d]], d,
        p[1], d, p[2], d), data = d, curves = p
    )
    delong <- record(text('pROC::cov(%s, %s, method="delong")', roc_text(d, p[1]),
      roc_text(d, p[2])))
    stopifnot(abs(out$value - delong$value) < 1e-12 * abs(delong$value))
    c(out, list(delong_call = delong$call, delong = delong$value))
  })
}), recursive = FALSE)

# --- write ---------------------------------------------------------------------------------------

about <- list(
  what = paste("Reference numbers from R for tests of intervals and comparisons;",
    "made by tests/proc/make_golden.R. Each record holds the R call and its value."),
  versions = list(R = paste(R.version$major, R.version$minor, sep = "."),
    pROC = as.character(packageVersion("pROC"))),
  numbers = paste("Numbers give the R double back exactly; \"Inf\", \"-Inf\", \"NaN\" and \"NA\"",
    "are written as strings. \"warnings\" are R's words where R warned."),
  curves = paste("Labels 1 are the cases (levels=c(0, 1)) and higher scores speak for them",
    "(direction=\"<\")."),
  rows = "Odd rows are the 1st, 3rd, 5th, ... of the data (c(TRUE, FALSE)), even rows the others.",
  bootstrap = paste("bootstrap_variance is for approximate checks: with 10000 replicates the",
    "relative standard error of a variance is about sqrt(2 / 10000) = 1.4 %."),
  power = paste("power_paired_curves takes the first curve as the reference, so the order matters:",
    "the null variance is 2 var1 - 2 cov12, and \"NaN\" where that is negative. Sizes are not",
    "rounded. A significance level that was solved for is 1 - pnorm(z): good to 1e-15 absolutely."),
  clustered = paste("clustered_cov and clustered_test are not pROC's: they are Obuchowski's (1997)",
    "formulas written in make_golden.R. S10 = I10 / ((I10 - 1) m) sum(d1 d2),",
    "S01 = I01 / ((I01 - 1) n) sum(h1 h2), S11_12 = I / (I - 1) sum(d1 h2),",
    "S11_21 = I / (I - 1) sum(d2 h1), covariance = S10 / m + S01 / n + (S11_12 + S11_21) / (m n),",
    "where d and h are a cluster's sums of (placement - auc) over its diseased and healthy units.",
    "Two equal curves give the variance.")
)

source_of <- list(
  asah = paste("The data set aSAH of pROC (Turck et al. 2010): outcome 1 is Poor, 0 is Good;",
    "wfns as a number."),
  tied = "24 rows, scores in 5 and in 3 levels.",
  separated = "6 + 6 rows: area 1 (perfect, perfect_too), 0 (worst), one half (constant).",
  lone = "One case only: no variance.",
  clustered = "60 clusters of 1 to 5 units."
)
describe <- function(name) {
  frame <- get(name)
  out <- list(label = labels[[name]], scores = array(curves[[name]]))
  if (name == "clustered") out$cluster <- "cluster"
  out$rows <- nrow(frame)
  out$cases <- sum(frame[[labels[[name]]]] == 1)
  if (name == "breast_cancer") {
    c(list(source = "The project's own example.", file = breast_cancer_file), out)
  } else {
    c(list(source = source_of[[name]]), out, list(columns = lapply(as.list(frame), array)))
  }
}

block <- function(items) paste0("    ", items, collapse = ",\n")
lines <- c(
  paste0('  "about": {\n', block(paste0(vapply(names(about), json_string, ""), ": ",
    vapply(about, json, ""))), "\n  }"),
  paste0('  "data": {\n', block(vapply(names(curves), function(d) {
    paste0(json_string(d), ": ", gsub("], ", "],\n        ", json(describe(d)), fixed = TRUE))
  }, "")), "\n  }"),
  vapply(names(golden), function(name) {
    paste0("  ", json_string(name), ": [\n", block(vapply(golden[[name]], json, "")), "\n  ]")
  }, "")
)
cat("{\n", paste(lines, collapse = ",\n"), "\n}\n", sep = "")
