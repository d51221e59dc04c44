"""Each room of src and tests is generated from a folder here: its templates, and what they ask
(rules.py)."""
