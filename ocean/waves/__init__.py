"""The physics of the sea: numpy in float64, no GPU. Spectra in, amplitudes and predictions out."""
