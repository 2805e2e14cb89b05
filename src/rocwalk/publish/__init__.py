"""What a paper needs: figures, tables, check-lists."""
