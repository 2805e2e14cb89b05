"""What pytest leaves alone here: scripts that draw or print when they are read.

tests/test_docs.py runs them.
"""

collect_ignore_glob = ["gallery/*.py", "first_steps.py", "_static/*"]
