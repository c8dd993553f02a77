"""Drawings of how data flow through each FFT backend."""
