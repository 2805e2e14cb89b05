"""The objects that users hold: thin fronts that delegate."""
