"""Settings in files: presets, loading and saving, and the dialog for a file."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Literal

from imgui_bundle import imgui
from imgui_bundle import portable_file_dialogs as native

from ocean.common.errors import reason
from ocean.common.files import write_text
from ocean.common.resources import LEVELS
from ocean.settings import Settings, SettingsError, differences, level_values, read_toml, to_toml, value_at, with_values
from ocean.settings.files import Resolution, resolve, rooted
from ocean.waves.spectra import FileSpectrum
from ocean.window.camera import PLACE
from ocean.window.changes import Change, Source
from ocean.window.libraries import TITLE
from ocean.window.pictures import reporting
from ocean.window.ui import theme
from ocean.window.ui.theme import em, tooltip

KEPT = ("fft", "cascades", "stage", "window", "capture", *level_values(LEVELS[0]))
"""Settings of computation and display, which a scene keeps unless its file names them."""
PASSING = "stage.", "window.", "capture.", *(f"view.{name}" for name in (*PLACE, "heading", "mode"))
"""Settings whose changes leave a file saved: the camera's place, the debug view, and the window."""
MOST_RECENT = 8  # maximum number of files in the menu
COLUMNS = 4  # columns of presets
TITLE_SIZES = 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5  # fractions of the font's size, for names of presets
SUFFIX, PANORAMAS = ".toml", (".hdr", ".exr")
PATIENCE = 0.1  # s: longest wait of a frame for a spectrum's file
DIALOG_PROGRAMS = "zenity", "kdialog", "matedialog", "qarma"
"""Programs that show the native dialogs on Linux."""
Verb = Literal["Open", "Save", "Load"]
NOUNS: Mapping[Verb, str] = {"Open": "settings", "Save": "settings", "Load": "spectrum"}


@dataclass(frozen=True, eq=False)
class Request:
    """A change of settings that may need a file, and what to say about it."""

    make: Callable[[Settings], Settings]  # returns the changed settings
    label: str = ""  # name for undo
    success: str = ""  # message
    refused: Callable[[str], str] = str  # makes the message of an error
    replaces: bool = False  # True: it replaces the sea, so other reading ends
    name: str = ""  # of the settings file or preset
    path: Path | None = None  # of the settings file


class Files:
    """Loading and saving of settings. `say` shows the results, `picture` returns the picture of a preset."""

    def __init__(
        self,
        say: Callable[..., None],
        presets: Mapping[str, Path],
        picture: Callable[[str], imgui.ImTextureRef | None],
        recent: Sequence[Path] = (),
    ) -> None:
        self.dialog = FileDialog()
        self.recent = list(recent)
        self.source = Source()
        self._title: tuple[Settings | None, Source, str] = None, self.source, ""  # and what it belongs to
        self.has_saved = False
        self.presets = presets
        self._say, self._picture = say, picture
        self._waiting: tuple[Request, Resolution] | None = None  # change that waits for a file
        self._since = 0.0  # start of the wait
        self._matching: tuple[object, list[str]] = None, []  # sea, water and sky, and the presets that have them

    def draw_presets(self, settings: Settings) -> Change | None:
        """Draw buttons of presets, framed for the present sea and sky; return the change to the clicked one."""
        chosen, gap = None, 0.5 * imgui.get_style().item_spacing.x
        room = imgui.get_content_region_avail().x
        width = (room - (COLUMNS - 1) * gap) / COLUMNS
        height = width * 9 / 16
        imgui.push_style_var(imgui.StyleVar_.button_text_align, (0.5, 1.0))
        imgui.push_style_var(imgui.StyleVar_.frame_padding, (0, em(0.1)))
        titles = {name: name.replace("-", " ").capitalize() for name in self.presets}
        push_font_for(titles.values(), width)
        matching = self.matching(settings)
        for number, (name, path) in enumerate(self.presets.items()):
            if number % COLUMNS:
                imgui.same_line(0.0, gap)
            title = titles[name]
            if imgui.button(f"{title}##preset", (width, height + em(1.3))):
                chosen = self.read(settings, preset(name, path))
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            draw = imgui.get_window_draw_list()
            if (shown := self._picture(name)) is not None:
                draw.add_image(shown, low, (high.x, low.y + height))
            if name in matching:
                draw.add_rect(low, high, theme.packed(theme.ACCENT), em(0.3), thickness=em(0.15))
            tooltip(f"{title}: the sea, sky and view of {path.name}. Quality and FFT stay.")
        imgui.pop_font()
        imgui.pop_style_var(2)
        return chosen

    def matching(self, settings: Settings) -> list[str]:
        """Return the presets with the present sea, water and sky."""
        key = settings.sea, settings.water, settings.sky
        if key != self._matching[0]:
            self._matching = key, [name for name, path in self.presets.items() if is_of(settings, path)]
        return self._matching[1]

    def draw(self, settings: Settings) -> Change | None:
        """Draw the dialog while it is open; return the change to the opened settings."""
        answer = self.dialog.draw()
        if answer is None:
            return None
        verb, path = answer
        self.dialog.begin_at(path)  # the next time
        if verb == "Save":
            self.save(settings, path)
            return None
        return self.open(settings, path) if verb == "Open" else self.take(settings, [path])

    def open(self, settings: Settings, path: Path) -> Change | None:
        """Return the change to the settings of a file; None with a message if it can't be read."""
        said = f"scene {path.name}", f"loaded {path}"
        request = Request(partial(load_scene, path=path), *said, replaces=True, name=path.name, path=path)
        loaded = self.read(settings, request)
        if loaded or (self._waiting and request is self._waiting[0]):
            self._remember(path)
        elif path in self.recent and not os.path.exists(path):
            self.recent.remove(path)
        return loaded

    def show(self, settings: Settings, path: Path) -> None:
        """Name a file that the first settings come from; the command line may have changed them."""
        self._remember(path)
        with suppress(SettingsError):  # of a file that needs others
            self.source = source_of(path.name, load_scene(settings, path), path)

    def take(self, settings: Settings, paths: Sequence[Path]) -> Change | None:
        """Return the change by dropped files: a scene, a panorama for the sky, or the spectrum of the wind sea (a buoy
        has several). See `read`."""
        path, *_ = paths = [Path(rooted(str(path))) for path in paths]  # so that a saved sea finds them in any folder
        if path.suffix.lower() == SUFFIX:
            return self.open(settings, path)
        if path.suffix.lower() in PANORAMAS:
            sky = partial(with_values, values={"sky.panorama": str(path)})
            return self.read(settings, Request(sky, f"sky {path.name}", f"the sky is {path.name}"))
        spectrum = FileSpectrum(path=",".join(map(str, paths)))  # without the record and station of another file
        sea = partial(with_values, values={"sea.wind.spectrum": spectrum, "sea.wind.height": 0.0})

        def refused(error: str) -> str:
            why = error.partition(": ")[2].partition(";")[0]
            kinds = "neither settings (.toml) nor a panorama (.hdr, .exr) nor a wave spectrum"
            return f"{path.name} is {kinds}: {why}" if os.path.exists(path) else why

        said = f"wind sea {path.name}", f"the wind sea comes from {path.name}"
        return self.read(settings, Request(sea, *said, refused, replaces=True))

    def save(self, settings: Settings, path: Path) -> None:
        with reporting(self._say, path):
            write_text(Path(os.path.realpath(path)), to_toml(settings))  # a link stays one
            self._remember(path)
            self.source = source_of(path.name, settings, path)
            self.has_saved = True

    @property
    def path(self) -> Path | None:
        """The file that the title names, unless another program has written to it since, or it has comments."""
        path, time = self.source[2:]
        return path if path and time == modified(path) and b"#" not in path.read_bytes() else None

    def _remember(self, path: Path) -> None:
        path = Path(os.path.abspath(path))
        self.dialog.begin_at(path)
        self.recent = [path, *(other for other in self.recent if other != path)][:MOST_RECENT]

    def read(self, settings: Settings, request: Request) -> Change | None:
        """Return the requested change; None if it is refused, or while a file is being read; see `read_waiting`."""
        try:
            changed = Resolution(request.make(settings))
            found = changed.result(PATIENCE)
        except SettingsError as error:
            self._say(request.refused(str(error)), True)
            return None
        if found is None:
            self._give_up()  # another file has been requested
            self._waiting, self._since = (request, changed), time.monotonic()
            return None
        sea, before = found.sea, settings.sea
        is_other = (sea.wind.spectrum, sea.swell.spectrum) != (before.wind.spectrum, before.swell.spectrum)
        if request.replaces or is_other:
            self._give_up()
        return self._accept(found, request)

    def read_waiting(self, settings: Settings) -> Change | None:
        """Return the change whose file has been read; None if there is none."""
        if self._waiting is None:
            return None
        request, waiting = self._waiting
        try:
            if waiting.result() is None:
                return None
            self._waiting = None
            return self._accept(resolve(request.make(settings)), request)  # other settings may have changed meanwhile
        except SettingsError as error:
            self._waiting = None
            self._say(request.refused(str(error)), True)
            return None

    def wanted(self, settings: Settings) -> Settings:
        """Return the settings with the change that waits for its file, if that is possible."""
        with suppress(SettingsError):
            return self._waiting[0].make(settings) if self._waiting else settings
        return settings

    def _accept(self, changed: Settings, request: Request) -> Change:
        if request.success:
            self._say(request.success, False)
        if not request.name:
            return Change(changed, label=request.label)
        before, self.source = self.source, source_of(request.name, changed, request.path)
        return Change(changed, label=request.label, sources=(before, self.source))

    def title(self, settings: Settings) -> str:
        """Return the window's title: the shown file or preset, with a star if a save would change it."""
        if settings is not self._title[0] or self.source is not self._title[1]:
            if self.source.settings is None and (names := self.matching(settings)):
                self.source = Source(names[0], settings)
            name, saved, *_ = self.source
            star = "*" if saved and self.tells_apart(saved, settings) else ""
            self._title = settings, self.source, f"{name}{star} – {TITLE}" if name else TITLE
        return self._title[-1]

    @staticmethod
    def tells_apart(saved: Settings, settings: Settings) -> bool:
        """Return whether a save would change a file of the saved settings."""
        chosen = tuple(level_values(LEVELS[0])) if settings.window.automatic else ()
        return any(not path.startswith((*PASSING, *chosen)) for path in differences(saved, settings))

    def _give_up(self) -> None:
        if self._waiting:
            self._waiting[1].cancel()
            self._waiting = None

    @property
    def is_busy(self) -> bool:
        return bool(self._waiting or self.dialog.is_open)

    @property
    def status(self) -> str:
        """Sentence on the file being read; empty without one."""
        seconds = time.monotonic() - self._since
        return f"reading {self._waiting[1].file}, {seconds:.0f} s; Esc stops …" if self._waiting else ""

    def stop(self) -> None:
        if self._waiting:
            self._say(f"stopped reading {self._waiting[1].file}", False)
            self._give_up()


class FileDialog:
    """Dialog for the name of a file: the system's own, or a list in a popup where it has none.

    It begins in the program's start folder, and later in the last folder.
    """

    def __init__(self) -> None:
        self.name = ""
        self.is_open = False
        self._folder = Path()
        self._verb: Verb = "Open"
        self._begins = False
        self._native: native.open_file | native.save_file | None = None

    def begin_at(self, path: Path) -> None:
        self._folder, self.name = path.parent, path.name

    def ask(self, verb: Verb) -> None:
        self._verb = verb
        is_scene = self.name and Path(self.name).suffix in ("", SUFFIX)  # not a spectrum, whose name must stay as it is
        self.name = "" if verb != "Save" else self.name if is_scene else f"my-sea{SUFFIX}"
        self._begins = not has_native_dialogs()
        if not self._begins and self._native is None:
            make = native.save_file if verb == "Save" else native.open_file
            filters = ["All files", "*"] if verb == "Load" else [f"Settings ({SUFFIX})", f"*{SUFFIX}"]
            start = os.path.join(os.path.abspath(self._folder), self.name)
            self._native = make(f"{verb} {NOUNS[verb]}", start, filters)

    def draw(self) -> tuple[Verb, Path] | None:
        """Draw the dialog while it is open; return the verb and the file once one is chosen."""
        if self._native is None:
            return self._draw_popup()
        self.is_open = not self._native.ready(0)
        if self.is_open:
            return None
        answer, self._native = self._native.result(), None
        chosen = "".join(answer[:1]) if isinstance(answer, list) else answer
        if not chosen:
            return None
        self.begin_at(Path(chosen))
        return self._verb, self._path

    def release(self) -> None:
        if self._native is not None:
            self._native.kill()

    @property
    def _path(self) -> Path:
        """The typed path. A home folder that does not exist, as in ~nobody, stays part of the name."""
        path = self._folder / os.path.expanduser(self.name.strip())
        is_whole = path.suffix or self._verb == "Load" or os.path.isdir(path)
        return path if is_whole else Path(f"{path}{SUFFIX}")

    def _draw_popup(self) -> tuple[Verb, Path] | None:
        title = f"{self._verb} {NOUNS[self._verb]}###browser"
        if self._begins:
            imgui.open_popup(title)
        imgui.set_next_window_size((min(em(30), imgui.get_main_viewport().work_size.x), 0), imgui.Cond_.always)
        imgui.set_next_window_pos(imgui.get_main_viewport().get_center(), imgui.Cond_.always, (0.5, 0.5))
        chosen = None
        self.is_open = imgui.begin_popup_modal(title, None, imgui.WindowFlags_.no_saved_settings)[0]
        if self.is_open:
            if self._list_files() or self._ask_for_name():
                chosen = self._verb, self._path
            if chosen or imgui.button("Cancel", (em(7), 0)):
                imgui.close_current_popup()
                self.is_open = False
            imgui.end_popup()
        self._begins = False
        return chosen

    def _list_files(self) -> bool:
        """Draw the folders and the possible files of the folder; return whether a file was clicked a second time."""
        theme.coloured(os.path.abspath(self._folder), theme.FAINT)
        is_chosen = False
        if imgui.begin_child("files", (-1, em(14)), imgui.ChildFlags_.borders):
            try:
                entries = sorted(os.scandir(self._folder), key=lambda entry: (entry.is_file(), entry.name.lower()))
            except OSError as error:
                theme.coloured(f"can't read this folder: {reason(error)}", theme.WRONG)
                entries = []
            folder = self._folder
            if imgui.selectable("../", False)[0]:
                folder = Path(os.path.abspath(self._folder)).parent
            for entry in entries:
                is_possible = entry.is_dir() or self._verb == "Load" or entry.name.lower().endswith(SUFFIX)
                if entry.name.startswith(".") or not is_possible:
                    continue
                label = f"{entry.name}/" if entry.is_dir() else f"{entry.name}###file {entry.name}"
                if not imgui.selectable(label, entry.name == self.name)[0]:
                    continue
                if entry.is_dir():
                    folder = self._folder / entry.name
                else:  # a second click opens; ImGui's double click is too fast for slow frames
                    is_chosen = self._verb != "Save" and self.name == entry.name
                    self.name = entry.name
            self._folder = folder
        imgui.end_child()
        return is_chosen

    def _ask_for_name(self) -> bool:
        """Draw the field for the name and the button; return whether the name was chosen."""
        imgui.set_next_item_width(-1)
        if self._begins:
            imgui.set_keyboard_focus_here()
        flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all
        entered, self.name = imgui.input_text_with_hint(
            "##file", "" if self._verb == "Load" else f"file{SUFFIX}", self.name, flags
        )
        path, label, obstacle, remark = self._path, str(self._verb), not self.name.strip(), ""
        if self._verb == "Save" and os.path.isdir(path):
            obstacle, remark = True, "This is a folder." if self.name.strip() else ""
        elif self._verb == "Save" and os.path.exists(path):
            label, remark = "Overwrite", f"{path.name} exists."
        elif self._verb == "Save" and not os.path.isdir(path.parent):
            label, remark = "Make the folder and save", f"There is no folder {path.parent}."
        elif not (obstacle or self._verb == "Save" or os.path.exists(str(path).partition(",")[0])):
            remark = f"There is no file {path}."  # a spectrum's name may be one of an asset
        if entered and (obstacle or remark):
            imgui.set_keyboard_focus_here(-1)  # Enter has left the field
        if remark:
            theme.wrapped(remark, theme.WARNING)
        imgui.begin_disabled(obstacle)
        pressed = imgui.button(f"{label}###accept", (max(em(7), imgui.calc_text_size(label).x + em(1)), 0))
        imgui.end_disabled()
        imgui.same_line()
        return bool(pressed or (entered and not obstacle and not remark))


def modified(path: Path) -> float:
    """Return the time of a file's last change [s], 0 without a file."""
    return os.path.getmtime(path) if os.path.exists(path) else 0.0


def source_of(name: str, settings: Settings, path: Path | None) -> Source:
    path = path and Path(os.path.abspath(path))
    return Source(name, settings, path, modified(path) if path else 0.0)


def preset(name: str, path: Path) -> Request:
    return Request(partial(load_scene, path=path), f"preset {name}", f"preset {name}", replaces=True, name=name)


def push_font_for(titles: Collection[str], width: float) -> None:
    """Push the largest size of the font at which all titles fit `width`; widths of letters are whole pixels."""
    base = imgui.get_style().font_size_base
    for share in TITLE_SIZES:
        imgui.push_font(None, share * base)
        if share == TITLE_SIZES[-1] or all(imgui.calc_text_size(title).x <= width for title in titles):
            return
        imgui.pop_font()


def scenes(paths: Mapping[str, Path]) -> dict[str, Path]:
    """Return the configs that describe a sea, mildest first: configs with a sea and without FFT settings."""
    found = [name for name, path in paths.items() if read_toml(path).keys() & {"sea", "fft"} == {"sea"}]
    return {name: paths[name] for name in sorted(found, key=lambda name: scene_at(paths[name]).sea.wind.speed)}


def is_of(settings: Settings, path: Path) -> bool:
    """Return whether sea, sky and water equal a preset's, wherever the camera is."""
    scene = scene_at(path)
    kept = {name.removeprefix("sky."): value_at(settings, name) for name in KEPT if name.startswith("sky.")}
    return (scene.sea, scene.water, scene.sky.model_copy(update=kept)) == (settings.sea, settings.water, settings.sky)


def load_scene(settings: Settings, path: Path) -> Settings:
    """Return the settings of a file over the defaults. Computation and display stay unless the file sets them."""
    kept = with_values(Settings(), {name: value_at(settings, name) for name in KEPT})
    return with_values(kept, read_toml(path))


scene_at = cache(partial(load_scene, Settings()))


def has_native_dialogs() -> bool:
    return not sys.platform.startswith("linux") or any(map(shutil.which, DIALOG_PROGRAMS))
