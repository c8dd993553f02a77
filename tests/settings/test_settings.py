"""Settings: defaults, reading and writing of TOML, and errors that name key, value and remedy."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given, reject
from hypothesis import strategies as st

from ocean.common import resources
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
from ocean.settings.model import SeaSettings
from ocean.waves import statistics, systems
from ocean.waves.spectra import Spectrum
from ocean.waves.spreading import Spreading
from tests.messages import naming, unnamed
from tests.seas import kinds
from tools.site.settings import default_config


def test_settings_load_few_modules_and_no_gpu_library():
    code = "import sys, ocean.settings; print(*sys.modules)"
    command, root = [sys.executable, "-c", code], Path(__file__).parents[2]
    process = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    loaded = process.stdout.split()
    own = [name for name in loaded if name.split(".")[0] == "ocean"]
    assert len(own) <= 12, own
    assert {"moderngl", "scipy", "subprocess", "xarray"}.isdisjoint(loaded)


def test_the_default_config_is_generated():
    """`python -m tools.site.settings` writes it."""
    assert resources.config("default").read_text(encoding="utf-8") == default_config()


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("sea.wind.sped=3", "sea.wind.sped 3 sea.wind.speed"),
        ("sea.wind.speed=90", "sea.wind.speed 90 0 40 m/s"),
        ("sea.wind.speed=nan", "sea.wind.speed nan 0 40 m/s"),
        ("fft.backend=stockham-radx4", "stockham-radix4"),
        ("fft.size=101", "fft.size 101 even 16 4096"),
        ("fft.size=240.5", "fft.size 240.5 even 16 4096"),
        ("fft.options.twiddels=table", "fft.options.twiddels table fft.options.twiddles"),
        ("fft.options.longest=64", "fft.options.longest 64 four-step auto"),
        ("sea.wind.spectrum=jonswop", " ".join(["jonswop", *kinds(Spectrum)])),
        ("sea.wind.spectrum.gamma=11", "sea.wind.spectrum.gamma 11 1 7"),
        ("sea.wind.spectrum.gama=3", "sea.wind.spectrum.gama 3 sea.wind.spectrum.gamma"),
        ("sea.wind=3", "sea.wind 3 table speed direction fetch"),
        ("sea.wind.speed=true", "sea.wind.speed true 0 40 m/s"),
        ("cascades.count=2.5", "cascades.count 2.5 1 4"),
        ("fft.options=1", "fft.options 1 table auto"),
        ("fft.backend=[1]", "fft.backend [1] cooley-tukey-stages"),
        ("window.scale=0.02", "window.scale 0.02 0 0.5 4"),
        ("fft=1", "fft 1 table"),
        ("sea.loop_period=3", "sea.loop_period 3"),
        ("sea.wind.spreading=elfouhaily", "sea.wind.spreading elfouhaily spectrum"),
        ("sea.swell.spreading=mitsuyasu", "sea.swell.spreading mitsuyasu wind"),
        ("sea.swell.spectrum=phillips", "sea.swell.spectrum phillips wind"),
        ("sea.wind.spectrum.path=x", "sea.wind.spectrum.path file jonswap"),
        ("sea.wind.spreading.s=3", "sea.wind.spreading.s 3 cos-2s hasselmann"),
        ("sea.wind.spectrum=3", "sea.wind.spectrum 3 jonswap pierson-moskowitz tma"),
        ("sea.wind.spectrum={kind=3}", "sea.wind.spectrum 3 jonswap pierson-moskowitz tma"),
        ("fft.fused=maybe", "fft.fused maybe true false"),
        ("buoy.show=[1]", "buoy.show [1] true false"),
        ("sky.panorama=3", "sky.panorama 3 text quotes"),
        ("fft.options.x=1", "fft.options.x 1"),
        ("sea.beaufort=13", "sea.beaufort 13 0 12"),
        ("sea.beaufort=6.0", "sea.beaufort 6.0 0 12"),
        ("sea.state=rough", "sea.state rough 0 9"),
        ("sea.beaufrt=6", "sea.beaufrt 6 sea.beaufort"),
        ("sea.wind.beaufort=6", "sea.wind.beaufort 6 sea.beaufort"),
        ("sea={beaufort=6, state=5}", "sea.beaufort 6 sea.state"),
        ("sea={state=5, wind={period=9}}", "sea.state 5 sea.wind.period"),
        ("sea={state=5, wind=3}", "sea.wind 3 table speed"),
        ("speed=3", "speed 3 sea.wind.speed"),
        ("xyzzy=3", "xyzzy 3 sea cascades fft"),
        ("nonsense", "nonsense key.path=value"),
    ],
)
def test_an_error_names_key_value_range_and_nearest(override, named):
    options_exist = ["fft.backend=stockham-shared"] if "twiddels" in override else []
    with pytest.raises(SettingsError) as error:
        load_settings(overrides=[*options_exist, override])
    assert unnamed(str(error.value), named) == []
    assert "\n" not in str(error.value)


def test_a_file_that_is_missing_or_no_toml_is_named(tmp_path):
    with pytest.raises(SettingsError, match=naming("absent.toml")):
        load_settings(tmp_path / "absent.toml")
    broken = tmp_path / "broken.toml"
    broken.write_text("[sea\n")
    with pytest.raises(SettingsError, match=naming("broken.toml TOML line 1")):
        load_settings(broken)


def test_later_files_and_overrides_win(tmp_path):
    first, second = tmp_path / "a.toml", tmp_path / "b.toml"
    first.write_text('[sea.wind]\nspeed = 5.0\nspectrum = "pierson-moskowitz"\n[fft]\nsize = 64\n')
    second.write_text("[sea.wind]\nspeed = 6.0\n")
    settings = load_settings(first, second, overrides=["fft.size=128"])
    wind = settings.sea.wind
    assert (wind.speed, wind.spectrum.kind, settings.fft.size) == (6.0, "pierson-moskowitz", 128)


def test_a_table_without_its_kind_is_refused_with_the_kinds():
    with pytest.raises(SettingsError, match=naming("sea.wind.spectrum gamma 3 kind", *kinds(Spectrum))):
        settings_from({"sea": {"wind": {"spectrum": {"gamma": 3}}}})


@given(
    speed=st.floats(0, 40),
    direction=st.floats(0, 360),
    backend=st.sampled_from(list(BACKENDS)),
    size=st.integers(8, 2048).map(lambda half: 2 * half),
    kind=st.sampled_from([kind for kind in kinds(Spectrum) if kind != "file"]),
    spreading=st.sampled_from(list(kinds(Spreading))),
)
def test_any_settings_survive_toml(speed, direction, backend, size, kind, spreading):
    values = {"sea.wind.speed": speed, "sea.wind.direction": direction, "fft.backend": backend, "fft.size": size}
    try:
        settings = with_values(Settings(), values | {"sea.wind.spectrum": kind, "sea.wind.spreading": spreading})
    except SettingsError:  # a spreading fitted to another spectrum
        reject()
    assert settings_from(tomllib.loads(to_toml(settings))) == settings
    assert value_at(settings, "sea.wind.speed") == speed


@given(name=st.text(st.characters(codec="utf-8"), min_size=1, max_size=20))
@example(name='x\x1b[31m\x7f\x9b31m\u202e\u2028\U000e0001"\\\n\t.hdr')
def test_no_name_in_toml_commands_a_terminal(name):
    tree = to_tree(Settings())
    tree["sky"]["panorama"] = name
    text = to_toml(settings_from(tree))
    assert all(character.isprintable() for line in text.split("\n") for character in line)
    assert tomllib.loads(text)["sky"]["panorama"] == name


# -- Sea states by number ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(13))
def test_a_beaufort_number_sets_the_wind_and_lets_the_sea_follow(number):
    settings = with_values(Settings(), {"sea.wind.height": 3.0})
    settings = with_values(settings, {"sea.wind.fetch": 2e5, "sea.beaufort": number})
    assert systems.beaufort_number(settings.sea.wind.speed) == number
    assert (settings.sea.wind.height, settings.sea.wind.fetch) == (0, 2e5)
    assert settings == with_values(Settings(), {"sea.wind.fetch": 2e5, "sea.beaufort": number})


@pytest.mark.parametrize("number", range(10))
@pytest.mark.parametrize("depth", [4.0, 30.0, 2000.0])
def test_a_sea_state_sets_height_and_period_at_any_depth(number, depth):
    sea = load_settings(overrides=[f"sea.state={number}", f"sea.depth={depth}"]).sea
    height = statistics.predicted_height(sea.systems)
    assert height == pytest.approx(systems.sea_state_height(number), rel=1e-3)
    if number:
        assert systems.sea_state_number(height) == number
        assert statistics.predicted_peak_period([sea.systems[0]]) == pytest.approx(5.0 * height**0.5, rel=1e-2)
        assert abs(systems.grown_wind(height) - sea.wind.speed) < 0.01


def test_beaufort_0_and_sea_state_0_are_flat_water():
    for none in ("sea.beaufort=0", "sea.state=0", "sea.wind.speed=0"):
        assert load_settings(overrides=[none]).sea.systems == ()


def test_overrides_change_the_shorthand_of_a_file_and_contradict_no_other(tmp_path):
    file = tmp_path / "sea.toml"
    file.write_text("[sea]\nbeaufort = 8\n")
    assert load_settings(file).sea.wind.speed == systems.beaufort_speed(8)
    assert load_settings(file, overrides=["sea.wind.speed=3"]).sea.wind.speed == 3
    both = load_settings(file, overrides=["sea.wind.height=3"]).sea.wind
    assert (both.speed, both.height) == (systems.beaufort_speed(8), 3)
    assert load_settings(file, overrides=["sea.state=5"]).sea.wind.height == 3.25
    for first, second in (
        ("beaufort=8", "state=5"),
        ("wind.speed=3", "beaufort=8"),
        ("beaufort=8", "wind.speed=3"),
        ("state=5", "wind.height=9"),
        ("wind.period=4", "state=5"),
        ("beaufort=5", "wind.height=2"),
    ):
        names = [f"sea.{one.partition('=')[0]}" for one in (first, second)]
        with pytest.raises(SettingsError, match=naming(*names)):
            load_settings(overrides=[f"sea.{first}", f"sea.{second}"])
    file.write_text("[sea]\nbeaufort = 8\n[sea.wind]\nspeed = 3.0\n")
    with pytest.raises(SettingsError, match=naming("sea.beaufort 8 sea.wind.speed")):
        load_settings(file)


@pytest.mark.parametrize("name", ["beaufort", "state"])
def test_a_number_is_read_and_never_written(name):
    sea = SeaSettings.model_validate({name: 7, "wind": {"direction": 10.0}})
    assert sea.wind.direction == 10
    assert sea == SeaSettings.model_validate(sea.model_dump())
    assert sea.wind.speed > 13.9
    assert name not in sea.model_dump()
    with pytest.raises(ValueError, match=naming(f"sea.{name} 7")):
        SeaSettings(**{name: 7}, wind=sea.wind)


@pytest.mark.parametrize("spectrum", ["elfouhaily", "phillips", "file"])
def test_a_spectrum_without_a_height_refuses_sea_states_and_accepts_winds(spectrum):
    chosen = [f"sea.wind.spectrum={spectrum}"]
    chosen += ["sea.wind.spectrum.path=example-buoy.data_spec"] if spectrum == "file" else []
    with pytest.raises(SettingsError, match=naming("sea.wind.spectrum", spectrum)):
        load_settings(overrides=[*chosen, "sea.state=4"])
    assert load_settings(overrides=[*chosen, "sea.beaufort=4"]).sea.wind.spectrum.kind == spectrum


@pytest.mark.parametrize(
    ("overrides", "remark", "warning"),
    [
        (["sea.wind.fetch=3e5"], "fully developed 6.27 s pierson-moskowitz 7.35 s", ""),
        (["sea.wind.spectrum=pierson-moskowitz"], "fully developed", ""),
        (["sea.wind.fetch=3e4"], "", ""),
        (["sea.wind.height=2"], "", ""),
        (["sea.wind.fetch=3e4", "sea.wind.period=9"], "wind.period 9 changes nothing wind.height 0", ""),
        (["sea.wind.height=2", "sea.wind.fetch=3e4"], "wind.fetch 30000 changes nothing wind.height", ""),
        (["sea.wind.fetch=3e4", "sea.order=5"], "order 5 changes nothing linear", ""),
        (["sea.wind.fetch=3e4", "sea.order=5", "sea.dynamics=nonlinear"], "", ""),
        (["sea.wind.fetch=3e4", "sea.swell.period=14"], "swell.period 14 changes nothing swell.height 0", ""),
        (["sea.wind.fetch=3e4", "sea.dynamics=nonlinear", "sea.loop_period=60"], "never repeat loop_period", ""),
        (["sea.beaufort=0"], "", ""),
        (["sea.state=6", "sea.depth=5"], "", "too high 5 m 3 m"),
        (["sea.state=6", "sea.depth=5", "sea.dispersion=deep"], "195 m bottom 5 m dispersion deep", ""),
        (["sea.wind.speed=15", "sea.depth=5"], "depth 5 m 1.1 m young verhagen", ""),
        (["sea.wind.speed=40", "sea.depth=2"], "depth 2 m 1.2 m", ""),
        (["sea.wind.spectrum=elfouhaily", "sea.wind.speed=15", "sea.depth=5"], "depth_limit 1.7 m 1.1 m 5 m", ""),
        (["sea.wind.height=8", "sea.wind.period=12"], "few whitecaps 10 m/s 19 m/s", ""),
        (["sea.wind.height=4", "sea.wind.period=6", "sea.wind.speed=20"], "steep 1/14.1 1/15", ""),
        (["sea.state=6", "sea.depth=8.4"], "", ""),
        (["sea.wind.height=10", "sea.wind.period=3"], "whitecaps steep", "too steep 10 m 14.1 m 2 m"),
        (
            ["sea.swell.height=8", "sea.swell.period=4", "sea.dispersion=deep"],
            "fully developed",
            "too steep 8 m 25 m 3.5 m",
        ),
        (["sea.wind.speed=40", "sea.wind.fetch=1e3"], "steep 1/12.6", ""),  # the steepest sea that wind can raise
    ],
)
def test_fully_developed_too_high_and_too_steep_seas_have_remarks(overrides, remark, warning):
    sea = load_settings(overrides=overrides).sea
    for said, named in ((sea.remark, remark), (sea.warning, warning)):
        assert bool(said) == bool(named)
        assert unnamed(said.lower(), named) == []


def test_presets_have_the_sea_states_of_their_names():
    """Each preset has the Beaufort number in its first line, and none is too high for its depth."""
    for name in resources.presets():
        path = resources.config(name)
        comment = path.read_text().partition("\n")[0]
        if said := re.search(r"Beaufort (\d+)", comment):
            assert systems.beaufort_number(load_settings(path).sea.wind.speed) == int(said[1]), comment
        assert not load_settings(path).sea.warning
    seas = {"calm", "breeze", "gale", "storm", "hurricane", "swell", "shallow-bay", "crossing-seas"}
    assert seas <= set(resources.presets())
