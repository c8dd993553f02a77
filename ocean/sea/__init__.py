"""The sea: amplitudes, maps and foam from settings, as passes on the GPU or on the processor. Knows no picture."""
