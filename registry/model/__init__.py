"""The registry as generators see it, the tables that several rooms are made from, and what is kept
between runs."""
