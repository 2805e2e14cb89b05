"""The page: one section is one function, one template and one script of one name."""
