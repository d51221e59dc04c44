"""What checks which statement, and which statements nothing checks."""
