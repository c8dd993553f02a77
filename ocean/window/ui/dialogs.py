"""Small windows over the view: the first hints, a movie's progress, the question before quitting, and errors."""

import math
import sys
import traceback
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from imgui_bundle import imgui

from ocean import __version__
from ocean.window.ui import theme
from ocean.window.ui.keys import Action, Actions
from ocean.window.ui.theme import Box, em

FLAGS = (
    imgui.WindowFlags_.always_auto_resize
    | imgui.WindowFlags_.no_collapse
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_saved_settings
)
NOTE = FLAGS | imgui.WindowFlags_.no_title_bar | imgui.WindowFlags_.no_focus_on_appearing
HINTS = (
    ("The sea", "Drag to look around, WASD to fly, Shift to be faster. F1 lists all keys."),
    ("Presets", "Choose a sea. Below are all settings; Ctrl+F finds one, and a tooltip explains it."),
    ("Times", "Each pass of a frame. Click on one to see what it makes. B compares FFT backends."),
)
"""First hints: the three targets of the welcome, and their uses."""


@dataclass(frozen=True)
class Failure:
    """Unexpected error: its message, its traceback, and the log of both."""

    message: str
    details: str
    log: str


def report_failure(error: Exception, log: Path) -> Failure:
    """Append an error to the log, print it, and return the text of its dialog."""
    details = "".join(traceback.format_exception(error))
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{datetime.now():%Y-%m-%d %H:%M:%S}  ocean {__version__}\n{details}\n")
        where = str(log)
    except OSError as problem:
        where = f"the terminal, since {log} can't be written: {problem.strerror}"
    print(details, file=sys.stderr)
    return Failure(f"{type(error).__name__}: {error}", details, where)


def hints(view: Box, presets: Box, times: Box, points: bool) -> bool:
    """Draw the hints at the top of the view and, if no window was opened since that the lines would cross, lines to the
    water, the presets and the times, which the hints never cover; return whether they stay."""
    top = view.x + view.width / 2, view.y + 0.1 * view.height
    imgui.set_next_window_pos(top, pivot=(0.5, 0))
    visible, stays = imgui.begin("Welcome###hints", True, FLAGS | imgui.WindowFlags_.no_focus_on_appearing)
    if visible:
        width = min(em(26), view.width - em(4))
        for name, text in HINTS:
            theme.coloured(name, theme.ACCENT)
            theme.wrapped(text, end=width)
        stays = not imgui.button("Got it", (em(6), 0)) and stays
    corner, size = imgui.get_window_pos(), imgui.get_window_size()
    imgui.end()
    if stays and points:
        point_at(Box(corner.x, corner.y, size.x, size.y), view, presets, times)
    return bool(stays)


def point_at(hint: Box, view: Box, presets: Box, times: Box) -> None:
    """Draw lines from the welcome to its three targets, frames around two of them, and a ring on the water."""
    draw, colour, width = imgui.get_foreground_draw_list(), theme.packed(theme.ACCENT), em(0.12)
    middle = hint.y + hint.height / 2
    ends = (presets, hint.x, presets.x + presets.width), (times, hint.x + hint.width, times.x)
    for target, start, end in ends:
        if target.width > 0:
            left, right = target.x - em(0.3), target.x + target.width + em(0.3)
            low, high = target.y - em(0.3), target.y + target.height + em(0.3)
            draw.add_rect((left, low), (right, high), colour, em(0.3), thickness=width)
            tip = right if end < start else left, target.y + target.height / 2
            draw.add_line((start, middle), tip, colour, width)
            draw.add_circle_filled(tip, em(0.3), colour)
    across, below, water = hint.x + hint.width / 2, hint.y + hint.height, view.y + 0.8 * view.height
    if water > below + em():
        draw.add_line((across, below), (across, water - em(0.8)), colour, width)
        draw.add_circle((across, water), em(0.8), colour, thickness=width)


def movie(view: Box, done: int, frames: int, seconds_left: float | None, actions: Actions) -> list[Action]:
    """Draw a movie's progress and the remaining time; return the chosen actions."""
    asked = []
    middle = view.x + view.width / 2, view.y + em()
    imgui.set_next_window_pos(middle, pivot=(0.5, 0))
    if imgui.begin("Movie###movie", None, NOTE)[0]:
        imgui.progress_bar(done / frames, (em(18), 0), f"movie: frame {done} of {frames}")
        if seconds_left is not None:
            minutes, seconds = divmod(math.ceil(seconds_left), 60)
            imgui.text(f"{minutes} min {seconds} s left" if minutes else f"{seconds} s left")
        for label, action in (("Finish now", actions.movie), ("Cancel", actions.cancel_movie)):
            if imgui.button(label, (em(8.7), 0)):
                asked.append(action)
            imgui.same_line()
    imgui.end()
    return asked


def folder_button(view: Box, has_legend: bool) -> bool:
    """Draw a button in the view's lower right corner, beside the message of a saved file, or in the upper one if the
    lower has a legend; return whether to open its folder."""
    corner = view.x + view.width - em(), view.y + (em(0.7) if has_legend else view.height - em(0.7))
    imgui.set_next_window_pos(corner, pivot=(1, 0 if has_legend else 1))
    pressed = False
    if imgui.begin("###folder", None, NOTE)[0]:
        pressed = imgui.button("Open its folder")
    imgui.end()
    return bool(pressed)


def ask_to_quit(is_recording: bool, actions: Actions) -> tuple[bool, list[Action]]:
    """Ask whether to save the movie before quitting; return whether the question stays open, and the chosen actions."""
    imgui.set_next_window_pos(imgui.get_main_viewport().get_center(), pivot=(0.5, 0.5))
    stays, asked = is_recording, [] if is_recording else [actions.quit_now]  # the movie has ended by itself
    if imgui.begin("A movie is being recorded###quit", None, FLAGS)[0]:
        for label, chosen in (
            ("Save it and quit", [actions.movie, actions.quit_now]),
            ("Quit without it", [actions.quit_now]),
            ("Go on recording", []),
        ):
            if imgui.button(label, (em(9), 0)):
                stays, asked = False, chosen
            imgui.set_item_default_focus()  # on the last button
            imgui.same_line()
    imgui.end()
    return stays, asked


def failure(found: Failure) -> tuple[bool, bool]:
    """Draw the dialog of an error; return whether to go on, and whether to quit."""
    goes_on = quits = False
    display = imgui.get_io().display_size
    imgui.set_next_window_pos((display.x / 2, display.y / 2), pivot=(0.5, 0.5))
    width = min(em(40), 0.9 * display.x)
    imgui.set_next_window_size_constraints((width, 0), (width, 0.9 * display.y))
    if imgui.begin("Something went wrong###failure", None, FLAGS)[0]:
        theme.wrapped(found.message, theme.WRONG)
        theme.wrapped(f"The traceback is in {found.log}")
        if imgui.button("Copy", (em(6), 0)):
            imgui.set_clipboard_text(f"{found.details}\n{found.log}\n")
        imgui.same_line()
        goes_on = imgui.button("Go on", (em(6), 0))
        imgui.same_line()
        quits = imgui.button("Quit", (em(6), 0))
    imgui.end()
    return goes_on, quits


def shader_error(view: Box, message: str) -> None:
    """Draw why a changed shader is not in use, over the view."""
    imgui.set_next_window_pos((view.x + em(), view.y + em()))
    width = max(em(10), view.width - em(2))
    imgui.set_next_window_size_constraints((width, 0), (width, max(em(6), 0.6 * view.height)))
    if imgui.begin("Shader###shader", None, FLAGS)[0]:
        theme.wrapped("The old shader stays in use.", theme.FAINT)
        theme.wrapped(message, theme.WRONG)
    imgui.end()
