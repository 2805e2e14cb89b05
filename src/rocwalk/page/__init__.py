"""The interactive report: one self-contained HTML page."""
