"""What a walk says: areas, hulls, choices, averages, several classes."""
