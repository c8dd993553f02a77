"""Other values of frozen settings, and a running sea that takes them.

python -m pip install -e .        once, in the checkout
python examples/settings.py
"""

import argparse

from pydantic import ValidationError

from ocean import load_settings, make_sea, with_values

argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()

breeze = load_settings(overrides=["sea.wind.speed=8", "fft.size=64"])
try:
    breeze.sea.choppiness = 0.5  # type: ignore[misc]
except ValidationError:
    print("settings never change; with_values returns others")
gale = with_values(breeze, {"sea.wind.speed": 18.0, "sea.wind.direction": 200.0})  # checked like a file

sea = make_sea(breeze)
for settings in (breeze, gale):
    sea.apply(settings)  # rebuilds what differs; on a GPU `apply(settings, blend=4.0)` blends for 4 s
    sea.update(30.0)
    variance = (sea.fields()["height"] ** 2).mean((1, 2)).sum()
    print(f"{settings.sea.wind.speed:.0f} m/s: significant wave height {4 * variance**0.5:.2f} m")
