"""Pictures (matplotlib)."""
