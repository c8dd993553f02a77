"""The physics of the sea: numpy in float64, no GPU.

Read the modules in this order: dispersion, spectra, spreading, systems (the sea); tiles, amplitudes (its waves on
grids); statistics (its expected values); second_order (corrections of crests and mean level); twin (the frame that the
shaders compute).
"""
