"""Forms of sentences by subject. Each module has the patterns of its subject and what they mean."""
