"""Quality levels: how well the sea is computed and drawn. Each is a config of plain settings, `configs/LEVEL.toml`, and
nothing else remembers which one was chosen. All of them have the same keys, of what is a matter of cost alone: what a
person has made of the scene stays as it is from level to level.
"""

from functools import cache
from typing import Any

from ocean.common.resources import LEVELS, config
from ocean.settings.model import Settings, value_at
from ocean.settings.trees import flat, read_toml

ELSEWHERE = ("window.", "capture.")
"""What a level's config says of starting with it, and not of quality."""


@cache
def level_values(name: str) -> dict[str, Any]:
    """What a level sets, by key path.

    Raises:
        SettingsError: when its file can't be read.
    """
    values = flat(read_toml(config(name)))
    return {path: value for path, value in values.items() if not path.startswith(ELSEWHERE)}


def level_of(settings: Settings) -> str | None:
    """The level that settings are at; None where they are at none."""
    for name in LEVELS:
        if all(value_at(settings, path) == value for path, value in level_values(name).items()):
            return name
    return None


def changes_to(settings: Settings, name: str) -> dict[str, Any]:
    """What a level changes about settings, by key path."""
    return {path: value for path, value in level_values(name).items() if value_at(settings, path) != value}
