"""Light as numbers: colours and optical properties (`optics`), clouds, and panoramas from files. Knows no GPU."""
