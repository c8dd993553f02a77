"""Layers of settings: files, overrides and changes, applied in any order."""

from itertools import permutations

import pytest

from ocean.cli.options import read_cases
from ocean.settings import Settings, SettingsError, load_settings, with_values
from ocean.window.ui.files import load_scene

CHOICES = {
    "backend": ("fft.backend=stockham-radix4", "fft.options.butterflies=2", "fft.size=64"),
    "kind": ("sea.wind.spreading.kind=cos-2s", "sea.wind.spreading.s=20", "sea.seed=3"),
    "kind by name": ("sea.swell.spreading=cos-2s", "sea.swell.spreading.s=20", "sea.seed=3"),
}


@pytest.mark.parametrize("overrides", CHOICES.values(), ids=CHOICES)
def test_chosen_kinds_count_in_any_order(overrides, tmp_path):
    wanted = load_settings(overrides=overrides)
    assert wanted != load_settings(overrides=overrides[:1] + overrides[2:])
    for order in permutations(overrides):
        assert load_settings(overrides=order) == wanted
        files = [tmp_path / f"{number}.toml" for number in range(len(order))]
        for file, override in zip(files, order, strict=True):
            key, _, value = override.partition("=")
            file.write_text(f"{key} = {value if value.isdecimal() else repr(value)}\n")
        assert load_settings(*files) == wanted
        values = {key: int(value) if value.isdecimal() else value for key, value in (o.split("=") for o in order)}
        assert with_values(load_settings(), values) == wanted


def test_a_matrix_whose_options_come_first_has_as_many_cases_as_names():
    cases = read_cases(None, None, ["fft.options.radix=2,4,8"], ["fft.backend=stockham-global"], {})
    assert [settings.fft.options.radix for _, settings in cases.values()] == [2, 4, 8]
    assert {settings.fft.backend for _, settings in cases.values()} == {"stockham-global"}


@pytest.mark.parametrize("key", ["fft.options.butterflies=2", "sea.wind.spreading.s=20"])
def test_values_of_no_chosen_kind_are_errors_in_any_order(key):
    others = ["fft.backend=stockham-global", "sea.wind.spreading=hasselmann"]
    for overrides in ([key, *others], [*others, key]):
        with pytest.raises(SettingsError, match=key.partition("=")[0]):
            load_settings(overrides=overrides)


def test_a_later_backend_or_kind_drops_the_values_of_the_old_one(tmp_path):
    first, second = tmp_path / "a.toml", tmp_path / "b.toml"
    first.write_text('fft = { backend = "stockham-shared", options = { lines = 2 } }\n')
    second.write_text('fft = { backend = "stockham-radix4", options = { butterflies = 2 } }\n')
    both = load_settings(first, second)
    assert both.fft == load_settings(second).fft
    first.write_text('sea.wind.spreading = { kind = "cos-2s", s = 20 }\n')
    second.write_text('sea.wind.spreading = "mitsuyasu"\n')
    assert load_settings(first, second) == load_settings(second)
    assert load_scene(load_settings(first), second).sea == load_settings(second).sea


def test_a_change_keeps_the_groups_that_it_does_not_name():
    before = Settings()
    after = with_values(before, {"sea.wind.speed": 9.0})
    assert [name for name, group in before if getattr(after, name) is not group] == ["sea"]
    assert after.sea.swell is before.sea.swell
