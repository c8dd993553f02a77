"""Fuzzing: random bad inputs, from a seed: `python -m tests.fuzzing` runs them, `test_fuzzing.py` runs a short
part."""
