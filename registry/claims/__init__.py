"""Finds what checks each statement, and the statements that nothing checks."""
