"""The verdict: what a study shows, as answers to the questions that readers bring."""
