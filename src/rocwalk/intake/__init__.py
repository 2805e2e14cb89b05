"""What users have, made into tallies: arrays, columns, dataframes, files."""
