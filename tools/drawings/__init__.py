"""Drawings of the data flow in each FFT backend."""
