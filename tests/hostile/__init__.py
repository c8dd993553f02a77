"""Campaigns of hostile inputs, from a seed: `python -m tests.hostile` runs them, `test_hostile.py` runs a short
part."""
