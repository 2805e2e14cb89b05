"""What users have, made into samples and tallies: arrays, frames, files, lazy tables, votes."""
