"""The dialog that exports the sea into files: a form for the options of `ocean export`, which runs as its own process.

The first run writes two frames and estimates the size and time of all; the second continues it.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from threading import Thread
from typing import Any

from imgui_bundle import imgui, imgui_ctx

from ocean.common.errors import InputError
from ocean.common.files import write_text
from ocean.common.resources import PACKAGE
from ocean.export.formats import FORMATS
from ocean.export.maps import CASCADE_MAPS, MESH_MAPS, PATCH_MAPS, TEXTURE_MAPS
from ocean.export.plan import Plan, make_plan
from ocean.settings import Settings, to_toml, with_values
from ocean.window.ui import theme
from ocean.window.ui.theme import em, tooltip

NAMES = {"mp4": "film", "textures": "textures for engines", "pages": "page for browsers"}
"""Labels of formats or contents whose names do not say what the files hold."""
MAPS = {"maps": tuple(dict.fromkeys((*CASCADE_MAPS, *PATCH_MAPS))), "textures": tuple(TEXTURE_MAPS), "mesh": MESH_MAPS}
SIZES = 64, 128, 256, 512, 1024
LABELS = 9.0  # em: width of the names beside controls


class Job:
    """A running `ocean export`, and what it says."""

    def __init__(self, arguments: list[str]) -> None:
        path = os.pathsep.join(filter(None, (str(PACKAGE.parent), os.environ.get("PYTHONPATH", ""))))
        self.lines: list[str] = []
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ocean", "export", *arguments],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        Thread(target=self._read, name="export", daemon=True).start()

    def _read(self) -> None:
        with self._process:
            self.lines.extend(map(str.strip, self._process.stdout or ()))

    @property
    def status(self) -> int | None:
        """The exit status; None while it runs."""
        return self._process.returncode

    @property
    def progress(self) -> float:
        """The completed fraction of the last part that was announced."""
        found = [match for line in self.lines[-1:] if (match := re.search(r"(\d+) of (\d+)", line))]
        return int(found[0][1]) / max(1, int(found[0][2])) if found else 0.0

    def cancel(self) -> None:
        """End it; finished files stay. Programs that a script starts in the background ignore Ctrl-C's signal."""
        self._process.terminate()


class ExportWindow:
    def __init__(self, say: Callable[..., None]) -> None:
        self._say = say
        self._name_folder: Callable[[], Path] = Path
        self._start = 0.0  # s
        self._format = "mp4"
        self._maps = {"displacement"}
        self._length, self._fps, self._loops = 5.0, 24.0, False
        self._size, self._resolution = 256, (1280, 720)
        self._patch = 100.0, 0.5  # side and spacing [m]
        self._folder = Path()
        self._estimated: Plan | None = None  # of the frames in the folder
        self._told = ""  # size and time of that plan
        self._job: Job | None = None

    @property
    def is_busy(self) -> bool:
        return self._job is not None

    def begin(self, start: float, name_folder: Callable[[], Path]) -> None:
        """Prepare the export of a sea from a time [s] on; `name_folder` returns an unused folder."""
        self._name_folder = name_folder
        if not self.is_busy and self._estimated is None:
            self._start = round(start, 2)

    def draw(self, settings: Settings) -> bool:
        """Draw the dialog; return whether it stays open."""
        imgui.set_next_window_pos(imgui.get_main_viewport().get_center(), imgui.Cond_.appearing, (0.5, 0.5))
        flags = imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_collapse
        with imgui_ctx.begin("Export###export", True, flags) as window:
            imgui.begin_disabled(self.is_busy)
            self._form()
            imgui.end_disabled()
            self._run(settings)
        return bool(window.opened)

    def release(self) -> None:
        if self._job:
            self._job.cancel()

    def _form(self) -> None:
        content = FORMATS[self._format].content
        label("Format", "What the files hold, and who reads them: the page on exports describes each.")
        titles = {name: titled(name) for name in FORMATS}
        self._format = theme.combo("##format", titled(self._format), titles, self._format) or self._format
        names = MAPS.get(content, ())
        for place, name in enumerate(names):
            if place % 3:
                imgui.same_line(em(LABELS * (place % 3 + 1)))
            else:
                label("" if place else "Maps", "What the files hold. A mesh has its shape, whatever is chosen.")
            changed, is_on = imgui.checkbox(f"{name}##map", name in self._maps)
            if changed:
                self._maps = self._maps | {name} if is_on else self._maps - {name}
        self._start = number("Start", "Time of the first frame [s].", self._start, "s")
        if content != "pages":  # which run by themselves
            self._length = number("Length", "Time of all frames [s].", self._length, "s")
            self._fps = number("Rate", "Frames per second.", self._fps, "/s")
            label("Loop", "The sea repeats after this length, so that the frames loop.")
            self._loops = bool(imgui.checkbox("##loop", self._loops)[1])
        if content in ("maps", "textures"):
            label("Texels", "Texels along a side of each map.")
            self._size = theme.combo("##texels", str(self._size), SIZES, self._size) or self._size
        if content == "pictures":
            label("Size", "Width and height of the pictures [px].")
            width, height = imgui.input_int2("##size", list(self._resolution))[1]
            self._resolution = max(1, width), max(1, height)
        if self._needs_patch:
            label("Patch, spacing", "Side of a square of the world, and the distance between its points [m].")
            side, spacing = imgui.input_float2("##patch", list(self._patch), "%.4g m")[1]
            self._patch = side, float(f"{spacing:.6g}")

    @property
    def _chosen(self) -> tuple[str, ...]:
        return tuple(name for name in MAPS.get(FORMATS[self._format].content, ()) if name in self._maps)

    @property
    def _needs_patch(self) -> bool:
        content = FORMATS[self._format].content
        return content == "mesh" or (content == "maps" and any(name in PATCH_MAPS for name in self._chosen))

    def _options(self) -> dict[str, Any]:
        """Return the options of the export's plan, by their names in `make_plan`."""
        content = FORMATS[self._format].content
        options: dict[str, Any] = {"form": self._format, "start": self._start}
        if content != "pages":
            options |= {"fps": self._fps} | ({"loop": str(self._length)} if self._loops else {"duration": self._length})
        if chosen := self._chosen:
            options["maps"] = ",".join(chosen)
        if content in ("maps", "textures"):
            options["size"] = self._size
        if self._needs_patch:
            side, spacing = self._patch
            options |= {"patch": f"{side:.6g}x{side:.6g}", "spacing": spacing}
        return options

    def _run(self, settings: Settings) -> None:
        content, changes = FORMATS[self._format].content, dict[str, Any]()
        if content == "pictures":
            changes = dict(zip(("capture.width", "capture.height"), self._resolution, strict=True))
            if settings.sky.metering == "automatic":  # needs the picture before
                changes["sky.metering"] = "matrix"
        plan, reason = planned(settings, tuple(changes.items()), tuple(self._options().items()))
        last = self._job.lines[-1:] if self._job else []
        if self._job:
            imgui.progress_bar(self._job.progress, (em(2.6 * LABELS), 0), "".join(last)[:60])
            if imgui.button("Cancel###cancel export", (em(8), 0)):
                self._job.cancel()
            return
        if plan is None:
            theme.wrapped(reason, theme.WRONG, end=em(3.5 * LABELS))
            return
        is_told = self._estimated == plan
        what, where = ("one page", "file") if content == "pages" else (f"frames: {plan.frames}", "folder")
        theme.wrapped(f"{what}, into {self._folder if is_told else f'a new {where}'}", theme.FAINT)
        if is_told:
            theme.wrapped(self._told, theme.ACCENT, end=em(3.5 * LABELS))
        goes_on = is_told or plan.frames == 1
        if imgui.button(f"{'Export' if goes_on else 'Estimate'}###run export", (em(8), 0)):
            self._begin(plan, goes_on, is_told)
        tooltip("Write all files." if goes_on else "Write two frames, and estimate the size and time of all.")

    def _begin(self, plan: Plan, goes_on: bool, is_told: bool) -> None:
        if not is_told:
            suffix = ".html" if plan.content == "pages" else ""  # pages are one file
            self._folder = self._name_folder().with_suffix(suffix)
        config = self._folder.with_suffix(".toml")
        try:
            write_text(config, to_toml(plan.settings))
        except InputError as error:
            self._say(str(error), is_error=True)
            return
        names = {"form": "format"}  # of the command line, where they differ
        options = [
            part for name, value in self._options().items() for part in (f"--{names.get(name, name)}", str(value))
        ]
        how = ["--resume", "--yes"] if goes_on else ["--estimate"]
        self._told, self._estimated = self._told if is_told else "", plan
        self._job = Job([*options, *how, "--config", str(config), "--out", str(self._folder)])

    def finish(self) -> None:
        """Show the result of a run that has ended."""
        job = self._job
        if job is None or job.status is None:
            return
        self._job, said = None, "".join(job.lines[-1:])
        told = [line for line in job.lines if " frames take about " in line]
        if job.status == 0 and told and not job.lines[-1].startswith(str(self._folder)):
            self._told = told[-1]
            return
        self._estimated = self._estimated if job.status and self._told else None  # else an export goes on there
        if job.status == 0:
            self._say(f"exported into {self._folder}", path=self._folder / "export.json")
        else:
            self._say(said.removeprefix("ocean: ") or f"the export ended with status {job.status}", is_error=True)


def titled(name: str) -> str:
    """Return the label of a format: what its files hold, and its name."""
    return f"{NAMES.get(name) or NAMES.get(content := FORMATS[name].content, content)}: {name}"


def label(text: str, help: str) -> None:
    imgui.align_text_to_frame_padding()
    theme.coloured(text, theme.FAINT)
    tooltip(help)
    imgui.same_line(em(LABELS))
    imgui.set_next_item_width(em(2 * LABELS))


def number(text: str, help: str, value: float, unit: str) -> float:
    """Draw a field for a number; return the number."""
    label(text, help)
    return float(f"{imgui.input_float(f'##{text}', value, 0.0, 0.0, f'%.6g {unit}')[1]:.6g}")


@lru_cache(maxsize=4)
def planned(
    settings: Settings, changes: tuple[tuple[str, Any], ...], options: tuple[tuple[str, Any], ...]
) -> tuple[Plan | None, str]:
    """Return the plan of an export of changed settings, or None and why it can't be made."""
    try:
        return make_plan(with_values(settings, dict(changes)), **dict(options)), ""
    except InputError as error:
        return None, str(error).removeprefix("--")
