"""How the window begins: as it was left, afresh, or as the command line says; with hints the first time."""

import numpy as np
import pytest

from ocean import last_state, opening
from ocean.files import OutputError
from ocean.last_state import LastState
from ocean.light.panorama import load_panorama
from ocean.settings import SettingsError, with_values
from ocean.ui.journey import Journey

from ..light.test_panorama import write_hdr
from .conftest import StubWindow


@pytest.fixture
def opened(ctx, settings, tmp_path, monkeypatch):
    """Opens the window for two frames; what it began with, whether it showed hints, and what the panel said."""

    def run(seed=None, **options):
        found = []

        def frames(desktop):
            found.append((desktop.settings.sea.seed, desktop.interface.shows_hints, desktop.interface.panel.message))
            if seed:
                desktop.settings = with_values(desktop.settings, {"sea.seed": seed})
            desktop.on_render(0.0, 0.1)
            desktop.on_render(0.0, 0.1)

        window = StubWindow(ctx)
        monkeypatch.setattr(opening, "open_window", lambda *_: window)
        monkeypatch.setattr(opening.moderngl_window, "run_window_config_instance", frames)
        try:
            state = tmp_path / "state" / "window.json"
            assert opening.run(lambda _: settings, **{"state": state, "resumes": True, **options}) == 0
        finally:
            window.destroy()
        return found[0]

    return run


def test_it_begins_as_it_was_left_unless_it_is_told_otherwise(opened, settings, tmp_path):
    seed = settings.sea.seed
    assert opened(seed=7) == (seed, True, "")  # the first time, with hints
    assert opened(resumes=False) == (seed, False, "")  # --config or --set
    assert opened(seed=9) == (seed, False, "")  # as the last one left it
    assert opened() == (9, False, "")
    assert opened(state=None) == (seed, False, "")  # --quit-after
    assert opened(fresh=True) == (seed, False, "")
    path = tmp_path / "state" / "window.json"
    path.write_text("{}")
    begun = opened()
    assert begun[:2] == (seed, False)
    assert begun[2] == f"{path} is of another version of this program, so it starts afresh"
    assert last_state.load(path).restored().sea.seed == seed


def test_bookmarks_outlive_a_fresh_start(opened, settings, tmp_path):
    path, journey = tmp_path / "state" / "window.json", Journey()
    journey.bookmarks["1"] = settings.view
    last_state.save(path, LastState.of(settings, "layout", journey))
    assert opened(fresh=True) == (settings.sea.seed, False, "")
    assert last_state.load(path).bookmarks == {"1": settings.view}


def test_a_panorama_is_found_from_another_folder_and_one_that_is_gone_costs_nothing_else(
    opened, settings, tmp_path, monkeypatch
):
    path, journey = tmp_path / "state" / "window.json", Journey()
    journey.bookmarks["1"] = settings.view
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    write_hdr(tmp_path / "here" / "sky.hdr", np.ones((16, 32, 3), np.float32), compressed=False)
    left = with_values(settings, {"sky.panorama": "sky.hdr", "sea.seed": 7})
    last_state.save(path, LastState.of(left, "layout", journey))
    monkeypatch.chdir(tmp_path)
    assert opened() == (7, False, "")
    assert last_state.load(path).restored().sky.panorama == str(tmp_path / "here" / "sky.hdr")
    (tmp_path / "here" / "sky.hdr").unlink()
    load_panorama.cache_clear()
    seed, hints, said = opened()
    assert (seed, hints) == (settings.sea.seed, False)
    assert said.endswith("sky.hdr': there is no such file; the settings start afresh")
    assert "version" not in said
    assert last_state.load(path).bookmarks == {"1": settings.view}


def test_what_was_left_and_cannot_run_says_how_to_begin_without(opened, settings, tmp_path):
    impossible = settings.model_copy(
        update={"fft": settings.fft.model_copy(update={"backend": "stockham-radix2", "size": 96})}
    )
    last_state.save(tmp_path / "state" / "window.json", LastState.of(impossible, "", Journey()))
    with pytest.raises(SettingsError, match=r"power of two.*--fresh"):
        opened()


def test_a_state_that_cannot_be_kept_is_not_blamed_on_what_was_left(opened, monkeypatch):
    opened()

    def refuse(*_):
        raise OutputError("can't write to there")

    monkeypatch.setattr(last_state, "save", refuse)
    with pytest.raises(OutputError, match=r"^can't write to there$"):
        opened()
