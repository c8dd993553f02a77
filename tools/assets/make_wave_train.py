"""Make the spectrum of a wave train with weak sidebands:
python -m tools.assets.make_wave_train > assets/wave-train.swn

The tile is 1024 m long, the tile of a sea whose peak is 85 m long. The train is the single wave vector with 12 lengths
along the side, eastwards. The sidebands, with 9 to 16 lengths, have 1/300 of its density.
"""

import math

SIDE, TRAIN, SIDEBANDS = 1024.0, 12, range(9, 17)
TRAIN_DENSITY = 60.0  # m²/Hz/degree
TOWARDS = 88, 90, 92  # degrees; only the middle direction has waves


def density(n: int) -> float:
    """Return the density of waves with n lengths along the side [m²/Hz/degree]."""
    return TRAIN_DENSITY if n == TRAIN else TRAIN_DENSITY / 300 if n in SIDEBANDS else 0.0


def main() -> None:
    lengths = range(SIDEBANDS.start - 1, SIDEBANDS.stop + 1)
    frequencies = [math.sqrt(9.81 * 2 * math.pi * n / SIDE) / (2 * math.pi) for n in lengths]
    print("SWAN   1", "TIME", 1, "LONLAT", 1, "0.0 0.0", "AFREQ", len(lengths), sep="\n")
    print(*(f"{frequency:.6f}" for frequency in frequencies), sep="\n")
    print("NDIR", len(TOWARDS), *((towards + 180) % 360 for towards in TOWARDS), sep="\n")
    print("QUANT", 1, "VaDens", "m2/Hz/degr", -99, "20000101.000000", "FACTOR", 1, sep="\n")
    for n in lengths:
        print(0, f"{density(n):g}", 0)


if __name__ == "__main__":
    main()
