"""Settings: all choices of a user as one frozen value, and descriptions of them for editors and shells."""

from ocean.settings.model import (
    PICTURE,
    USUAL_SIZES,
    CaptureSettings,
    DebugViewName,
    FFTSettings,
    FoamSettings,
    Settings,
    SkySettings,
    ViewSettings,
    WaterSettings,
    contents,
    load_settings,
    settings_from,
    to_toml,
    to_tree,
    value_at,
    with_values,
)
from ocean.settings.trees import SettingsError

__all__ = [
    "PICTURE",
    "USUAL_SIZES",
    "CaptureSettings",
    "DebugViewName",
    "FFTSettings",
    "FoamSettings",
    "Settings",
    "SettingsError",
    "SkySettings",
    "ViewSettings",
    "WaterSettings",
    "contents",
    "load_settings",
    "settings_from",
    "to_toml",
    "to_tree",
    "value_at",
    "with_values",
]
