"""Foam of a sea on the processor against the wanted coverage: `python -m tools.measure.whitecaps 14 18`.

The foam of a draw depends on the variance of the strain in that draw. The mean of this variance over draws is known, so
it serves as a control variate, which leaves a third of the error.
"""

import argparse
import math

import numpy as np

from ocean.export.plan import Patch
from ocean.export.sources import HostFoam
from ocean.sea.blend import jacobian_moments
from ocean.sea.host import HostSea
from ocean.settings import load_settings
from ocean.waves.fields import unpack
from ocean.waves.whitecaps import foam_memory, whitecap_coverage

PATCH = Patch(3000.0, 3000.0, 50.0)  # points too far apart to share a breaker
SECONDS, APART = 24, 2  # of each draw after the growth of foam; between samples
NAMES = "still water", "still water, every other frame", "surface"


def draw(speed: float, seed: int, fps: int, dynamics: str) -> tuple[float, list[float]]:
    """Return the strain's variance over its expectation in a draw, and the foam of each of NAMES over the coverage."""
    sea_words = f"sea.wind.speed={speed}", f"sea.seed={seed}", f"sea.dynamics={dynamics}"
    settings = load_settings(overrides=[*sea_words, "fft.size=128"])
    sea = HostSea(settings)
    foam, rare = HostFoam(sea, PATCH), HostFoam(sea, PATCH)
    begin = math.ceil(foam_memory(settings.foam.decay) * fps)
    samples, variances = [], []
    for i in range(begin + SECONDS * fps):
        sea.update(i / fps)
        foam.advance(1 / fps)
        if i % 2 == 0:
            rare.advance(2 / fps)
        if i >= begin and i % (APART * fps) == 0:
            surface = foam.at(sea.query(*PATCH.points, velocity=False).result().still)
            samples.append([foam.read().mean(), rare.read().mean(), surface.mean()])
            strains = (unpack(maps) for _, maps in sea.breaking_maps())
            variances.append(float(sum(np.var(at["dxx"] + at["dzz"]) for at in strains)))
    texel = sea.spectrum.breaking_texel
    shown = (one for one in sea.spectrum.cascades if texel < one.key.tile.blurred)
    expected = sum(jacobian_moments(one, np.zeros(1), texel)[0].item() for one in shown)
    return float(np.mean(variances)) / expected, list(np.mean(samples, axis=0) / whitecap_coverage(speed))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.measure.whitecaps", description=__doc__)
    parser.add_argument("speeds", type=float, nargs="+", help="wind speeds [m/s]")
    parser.add_argument("--draws", type=int, default=20, help="draws of each sea (default: 20)")
    parser.add_argument("--fps", type=int, default=12, help="frames per second, an even number (default: 12)")
    parser.add_argument("--dynamics", choices=("linear", "nonlinear"), default="linear", help="default: linear")
    given = parser.parse_args()
    print("| wind [m/s] | frames/s | foam of | over coverage | error |\n| --- | --- | --- | ---: | ---: |", flush=True)
    for speed in given.speeds:
        draws = (draw(speed, seed, given.fps, given.dynamics) for seed in range(given.draws))
        strain, foam = map(np.array, zip(*draws, strict=True))
        for name, values in zip(NAMES, foam.T, strict=True):
            line = np.polyfit(strain - 1, values, 1)  # value at 0: foam at the expected variance
            error = np.std(values - np.polyval(line, strain - 1), ddof=2) / math.sqrt(given.draws)
            print(f"| {speed:g} | {given.fps} | {name} | {line[1]:.3f} | {error:.3f} |", flush=True)


if __name__ == "__main__":
    main()
