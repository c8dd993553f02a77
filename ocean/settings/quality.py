"""Quality levels: how well the sea is computed and drawn.

Each level is a config of plain settings, `configs/LEVEL.toml`; nothing else stores the chosen level. All levels have
the same keys, which change the cost alone, so that the user's scene stays as it is from level to level.
"""

from functools import cache
from typing import Any

from ocean.common.resources import LEVELS, config
from ocean.settings.model import Settings, value_at
from ocean.settings.trees import flat, read_toml

ELSEWHERE = ("window.", "capture.")
"""Keys of a level's config that do not belong to quality."""


@cache
def level_values(name: str) -> dict[str, Any]:
    """Return the values of a level by key path.

    Raises:
        SettingsError: when its file can't be read.
    """
    values = flat(read_toml(config(name)))
    return {path: value for path, value in values.items() if not path.startswith(ELSEWHERE)}


def level_of(settings: Settings) -> str | None:
    for name in LEVELS:
        if all(value_at(settings, path) == value for path, value in level_values(name).items()):
            return name
    return None


def changes_to(settings: Settings, name: str) -> dict[str, Any]:
    """Return the values of a level that differ from the settings, by key path."""
    return {path: value for path, value in level_values(name).items() if value_at(settings, path) != value}
