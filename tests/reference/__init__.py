"""Reference implementations in numpy and float64, written from the formulas alone.

They take numbers and settings from the program, and never call a function that they check.
"""
