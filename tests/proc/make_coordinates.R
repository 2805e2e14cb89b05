# Intervals of coordinates by R's pROC, for tests/curves/test_coordinates.py.
#
#   Rscript tests/proc/make_coordinates.R
#
# Percentiles of a stratified bootstrap; the rows of aSAH are in golden.json.
suppressPackageStartupMessages(library(pROC))
cat("pROC", as.character(packageVersion("pROC")), "\n")
data(aSAH)
one <- roc(aSAH$outcome, aSAH$s100b, levels = c("Good", "Poor"), direction = "<", quiet = TRUE)
set.seed(1)
print(ci.se(one, specificities = 0.9, boot.n = 20000, progress = "none"), digits = 8)
print(ci.sp(one, sensitivities = 0.9, boot.n = 20000, progress = "none"), digits = 8)
print(coords(one, x = 0.9, input = "specificity", ret = "sensitivity", transpose = FALSE))
print(coords(one, x = 0.9, input = "sensitivity", ret = "specificity", transpose = FALSE))
print(ci.coords(one, x = 0.2, input = "threshold", ret = c("sensitivity", "precision", "accuracy"),
  boot.n = 20000, progress = "none"), digits = 8)
