"""What each room of src and tests is generated from: its templates, and what they ask
(rules.py)."""
