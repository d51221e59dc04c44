"""A newer registry: the report of what it brings, and what of it was read."""
