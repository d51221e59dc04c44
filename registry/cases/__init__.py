"""Tests that are made from the registry: the nearest valid call, and the one that breaks just one
statement."""
