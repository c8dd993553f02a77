"""What sailors call winds and seas: the Beaufort scale and the WMO's sea states."""

from bisect import bisect_left, bisect_right

BEAUFORT = (
    (0.0, "calm"),
    (0.3, "light air"),
    (1.6, "light breeze"),
    (3.4, "gentle breeze"),
    (5.5, "moderate breeze"),
    (8.0, "fresh breeze"),
    (10.8, "strong breeze"),
    (13.9, "near gale"),
    (17.2, "gale"),
    (20.8, "strong gale"),
    (24.5, "storm"),
    (28.5, "violent storm"),
    (32.7, "hurricane force"),
)
"""From which U10 [m/s] on a wind is called so; the number is the place in the list (WMO-No. 306, code table 1100)."""

SEA_STATES = (
    (0.0, "calm, glassy"),
    (0.1, "calm, rippled"),
    (0.5, "smooth"),
    (1.25, "slight"),
    (2.5, "moderate"),
    (4.0, "rough"),
    (6.0, "very rough"),
    (9.0, "high"),
    (14.0, "very high"),
    (float("inf"), "phenomenal"),
)
"""Up to which significant height [m] a sea is called so (WMO-No. 306, code table 3700)."""


def beaufort(speed: float) -> int:
    """The Beaufort number, 0 to 12, of a wind of U10 = speed >= 0 [m/s]."""
    return bisect_right([least for least, _ in BEAUFORT], speed) - 1


def sea_state(height: float) -> int:
    """The WMO's sea state, 0 to 9, of a significant height >= 0 [m]."""
    return bisect_left([most for most, _ in SEA_STATES], height)
