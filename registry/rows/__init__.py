"""Statements that are data: rows of structures and commands, of draws, and of SPIR-V modules."""
