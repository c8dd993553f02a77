"""The physics of the sea: numpy in float64, no GPU.

To be read in this order: dispersion, spectra, spreading, systems (what a sea is); tiles, amplitudes (what of it a grid
carries); statistics (what it must look like); second_order (what choppiness lacks); twin (the frame that the shaders
compute).
"""
