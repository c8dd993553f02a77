"""A ship on the sea: heave, pitch and roll of a hull that follows the water under it, as CSV, without a GPU.

    python -m pip install -e .        once, in the checkout
    python examples/ship.py [KEY=VALUE ...] > ship.csv

With a context, `make_sea(settings, ctx)` answers the same queries on the GPU, and `sea.query` returns at once.
"""

import argparse
import csv
import sys

import numpy as np

from ocean import load_settings, make_sea

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("overrides", nargs="*", metavar="KEY=VALUE")

LENGTH, BEAM, SPEED, HEADING = 40.0, 10.0, 6.0, 240.0  # m, m, m/s, degrees clockwise from north
settings = load_settings(overrides=["sea.wind.speed=10", "fft.size=128", *parser.parse_args().overrides])
sea = make_sea(settings)

course = np.radians(HEADING)
ahead = np.array([np.sin(course), -np.cos(course)])  # x is east, z south
right = np.array([-ahead[1], ahead[0]])
along, across = np.meshgrid(np.linspace(-LENGTH / 2, LENGTH / 2, 9), np.linspace(-BEAM / 2, BEAM / 2, 3))
hull = np.stack([np.ones(along.size), along.ravel(), across.ravel()], -1)

rows = csv.writer(sys.stdout, lineterminator="\n")
rows.writerow(["time_s", "heave_m", "pitch_deg", "roll_deg"])
for time in np.arange(0.0, 20.0, 0.25):
    sea.update(time)
    middle = SPEED * time * ahead
    x, z = (middle[i] + along * ahead[i] + across * right[i] for i in (0, 1))
    sample = sea.surface(x, z)  # heights, normals and velocities in the shape of x and z
    heave, bow_up, starboard_up = np.linalg.lstsq(hull, sample.height.ravel())[0]
    rows.writerow(
        f"{v:.3f}" for v in (time, heave, np.degrees(np.arctan(bow_up)), np.degrees(np.arctan(-starboard_up)))
    )
