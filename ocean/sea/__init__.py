"""The sea: from settings to amplitudes, maps and foam, as passes on the GPU or on the processor. Knows no picture."""
