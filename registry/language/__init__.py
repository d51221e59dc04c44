"""The specification's sentences: a grammar that reads them into guards and demands, of atoms and
values."""
