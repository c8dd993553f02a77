"""Settings: defaults, TOML both ways, and errors a person can act on."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean import resources
from ocean.fft import BACKENDS
from ocean.settings import (
    Settings,
    SettingsError,
    load_settings,
    settings_from,
    to_toml,
    to_tree,
    value_at,
    with_values,
)


def test_default_toml_equals_the_built_in_defaults():
    assert tomllib.loads(resources.config("default").read_text()) == to_tree(Settings())


@pytest.mark.parametrize("name", resources.presets())
def test_every_preset_loads_and_names_only_what_exists(name):
    settings = load_settings(resources.config(name))
    assert settings_from(tomllib.loads(to_toml(settings))) == settings


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("sea.wind.sped=3", "unknown setting sea.wind.sped = 3; did you mean sea.wind.speed?"),
        ("sea.wind.speed=90", "sea.wind.speed = 90 is outside 0 to 40 m/s"),
        ("sea.wind.speed=nan", "sea.wind.speed = nan is not a number from 0 to 40 m/s"),
        ("sea.wind.speed=fast", "sea.wind.speed = 'fast' is not a number from 0 to 40 m/s"),
        ("fft.backend=stockham-radx4", "did you mean stockham-radix4?"),
        ("fft.size=101", "fft.size = 101 is not an even number from 16 to 4096"),
        ("fft.size=8", "fft.size = 8 is outside 16 to 4096"),
        ("fft.size=large", "fft.size = 'large' is not an even number from 16 to 4096"),
        ("fft.size=240.5", "fft.size = 240.5 is not an even number from 16 to 4096"),
        (
            "fft.options.twiddels=table",
            "unknown setting fft.options.twiddels = 'table'; did you mean fft.options.twiddles?",
        ),
        (
            "fft.options.butterflies=2",
            "fft.options.butterflies belongs to stockham-radix2, stockham-radix4, not to stockham-shared",
        ),
        (
            "sea.wind.spectrum=jonswop",
            "'jonswop' is not one of jonswap, pierson-moskowitz, tma, elfouhaily, phillips, file; did you",
        ),
        ("sea.wind.spectrum.gamma=11", "sea.wind.spectrum.gamma = 11 is outside 1 to 7"),
        (
            "sea.wind.spectrum.gama=3",
            "unknown setting sea.wind.spectrum.gama = 3; did you mean sea.wind.spectrum.gamma?",
        ),
        ("sea.wind=3", "sea.wind = 3 is not a table of settings, which are speed, direction, fetch"),
        ("sea.wind.speed=[1]", "sea.wind.speed = [1] is not a number from 0 to 40 m/s"),
        ("cascades.count=2.5", "cascades.count = 2.5 is not a whole number from 1 to 4"),
        ("fft.options=1", "fft.options = 1 is not a table of settings; stockham-shared has twiddles"),
        ("fft.backend=[1]", "fft.backend = [1] is not one of cooley-tukey-stages"),
        ("fft=1", "fft = 1 is not a table of settings"),
        ("sea.loop_period=3", "sea.loop_period = 3 s is below four longest peak periods"),
        (
            "sea.wind.spreading=elfouhaily",
            "sea.wind.spreading = elfouhaily belongs to spectrum = elfouhaily, not",
        ),
        ("sea.swell.spreading=mitsuyasu", "sea.swell.spreading = mitsuyasu follows from the wind"),
        ("sea.swell.spectrum=phillips", "sea.swell.spectrum = phillips is raised by a wind"),
        ("sea.wind.spectrum.path=x", "unknown setting sea.wind.spectrum.path = 'x'"),
        ("speed=3", "unknown setting speed = 3; did you mean sea.wind.speed?"),
        ("xyzzy=3", "unknown setting xyzzy = 3; there are sea, cascades, fft"),
        ("nonsense", "'nonsense' is not of the form key.path=value"),
    ],
)
def test_an_error_names_key_value_range_and_nearest(override, message):
    with pytest.raises(SettingsError) as error:
        load_settings(overrides=[override])
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_missing_or_no_toml_is_named(tmp_path):
    with pytest.raises(SettingsError, match=r"can't read .*absent\.toml"):
        load_settings(tmp_path / "absent.toml")
    broken = tmp_path / "broken.toml"
    broken.write_text("[sea\n")
    with pytest.raises(SettingsError, match=r"broken\.toml is no valid TOML.*line 1"):
        load_settings(broken)


def test_later_files_and_overrides_win(tmp_path):
    first, second = tmp_path / "a.toml", tmp_path / "b.toml"
    first.write_text('[sea.wind]\nspeed = 5.0\nspectrum = "pierson-moskowitz"\n[fft]\nsize = 64\n')
    second.write_text("[sea.wind]\nspeed = 6.0\n")
    settings = load_settings(first, second, overrides=["fft.size=128"])
    wind = settings.sea.wind
    assert (wind.speed, wind.spectrum.kind, settings.fft.size) == (6.0, "pierson-moskowitz", 128)


def test_a_new_backend_drops_the_options_of_the_old_one():
    settings = load_settings(overrides=["fft.backend=stockham-radix4", "fft.options.butterflies=2"])
    assert settings.fft.options.butterflies == 2
    other = with_values(settings, {"fft.backend": "numpy"})
    assert other.fft.options == BACKENDS["numpy"].Options()


def test_settings_are_values():
    settings = Settings()
    assert with_values(settings, {"sea.wind.speed": 12.0}).sea.wind.speed == 12.0
    assert settings.sea.wind.speed == Settings().sea.wind.speed
    with pytest.raises(ValueError, match="frozen"):
        settings.sea = settings.sea


@given(
    speed=st.floats(0, 40),
    direction=st.floats(0, 360),
    backend=st.sampled_from(list(BACKENDS)),
    size=st.integers(8, 2048).map(lambda half: 2 * half),
    kind=st.sampled_from(["jonswap", "pierson-moskowitz", "tma", "elfouhaily", "phillips"]),
    spreading=st.sampled_from(["hasselmann", "mitsuyasu", "donelan-banner", "cos-squared", "cos-2s"]),
)
def test_any_settings_survive_toml(speed, direction, backend, size, kind, spreading):
    values = {"sea.wind.speed": speed, "sea.wind.direction": direction, "fft.backend": backend, "fft.size": size}
    settings = with_values(Settings(), values | {"sea.wind.spectrum": kind, "sea.wind.spreading": spreading})
    assert settings_from(tomllib.loads(to_toml(settings))) == settings
    assert value_at(settings, "sea.wind.speed") == speed


def test_no_wind_and_no_swell_is_flat_water():
    assert load_settings(overrides=["sea.wind.speed=0"]).sea.systems == ()
