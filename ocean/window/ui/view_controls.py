"""Controls in the view: handles of sun and wind, and the debug views."""

import math
from typing import Any

import numpy as np
from imgui_bundle import imgui, imgui_ctx, implot
from numpy.typing import NDArray

from ocean.common.parameters import range_of
from ocean.render import camera
from ocean.render.debug_views import DEBUG_VIEWS, PACKED
from ocean.settings import PICTURE, Settings, SkySettings, ViewSettings
from ocean.settings.model import DebugViewSettings, WindSettings
from ocean.waves import FIELDS
from ocean.window.camera import NOTCH
from ocean.window.ui import theme
from ocean.window.ui.theme import Box, em, tooltip
from ocean.window.ui.widgets import Editor

FLAGS = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_background
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.no_bring_to_front_on_focus
    | imgui.WindowFlags_.no_nav
)
Place = tuple[float, float]
RADIUS = 3.0  # em; length of the arrow for the strongest wind; it grows with the root of the speed


def draw_handles(settings: Settings, view: Box) -> dict[str, Any]:
    """Draw the handles of sun and wind where the view has room; return the changed values by key path."""
    is_view = settings.stage.view == PICTURE or DEBUG_VIEWS[settings.stage.view].is_seen_from_camera
    if not is_view or min(view.width, view.height) < em(5 * RADIUS):
        return {}
    return draw_sun(settings, view) | draw_wind(settings, view)


def draw_sun(settings: Settings, view: Box) -> dict[str, Any]:
    sky = settings.sky
    place = on_screen(settings.view, view, sky.sun_azimuth, sky.sun_elevation)
    if place is None or sky.panorama:
        return {}
    is_held = grip(
        "sun handle", place, (em(2), em(2)), f"Sun: {sky.sun_elevation:.1f}° high, at {sky.sun_azimuth:.1f}°."
    )
    is_near = math.dist(tuple(imgui.get_io().mouse_pos), place) < em(4)
    alpha, draw = 0.95 if is_held or is_near else 0.5, imgui.get_background_draw_list()
    for code, width in (("0c1319", 0.3), ("ffe9a8", 0.12)):  # dark around bright, visible against any sky
        draw.add_circle(place, em(0.9), theme.packed(theme.rgb(code, alpha)), 0, em(width))
    if not is_held:
        return {}
    mouse = imgui.get_io().mouse_pos
    azimuth, elevation = direction_at(settings.view, view, mouse.x, mouse.y)
    low, high = (bound or 0.0 for bound in range_of(SkySettings.model_fields["sun_elevation"]))
    return {"sky.sun_azimuth": round(azimuth, 1), "sky.sun_elevation": round(min(high, max(low, elevation)), 1)}


def draw_wind(settings: Settings, view: Box) -> dict[str, Any]:
    wind, heading = settings.sea.wind, settings.view.heading
    strongest = range_of(WindSettings.model_fields["speed"])[1] or 1.0
    middle = view.x + em(RADIUS + 1.2), view.y + em(RADIUS + 1.2)
    angle, length = math.radians(wind.direction - heading), em(RADIUS) * math.sqrt(wind.speed / strongest)
    tip = middle[0] + length * math.sin(angle), middle[1] - length * math.cos(angle)
    is_held = grip("wind handle", tip, (em(2), em(2)), f"Wind: {wind.speed:.3g} m/s towards {wind.direction:.0f}°.")
    draw, white = imgui.get_background_draw_list(), theme.packed(theme.rgb("ffffff", 0.9))
    draw.add_circle_filled(middle, em(RADIUS + 0.4), theme.packed(theme.rgb("0c1319", 0.35)))
    draw.add_circle(middle, em(RADIUS), theme.packed(theme.rgb("ffffff", 0.35)))
    north = math.radians(-heading)
    letter = imgui.calc_text_size("N")
    left = middle[0] + em(RADIUS) * math.sin(north) - letter.x / 2
    top = middle[1] - em(RADIUS) * math.cos(north) - letter.y / 2
    draw.add_text((left, top), theme.packed(theme.TEXT), "N")
    colour = theme.packed(theme.ACCENT) if is_held else white
    draw.add_line(middle, tip, colour, em(0.15))
    barb, other = (
        (tip[0] + em(0.7) * math.sin(side), tip[1] - em(0.7) * math.cos(side)) for side in (angle - 2.6, angle + 2.6)
    )
    draw.add_triangle_filled(tip, barb, other, colour)
    if not is_held:
        return {}
    mouse = imgui.get_io().mouse_pos
    across, up = mouse.x - middle[0], middle[1] - mouse.y
    speed = strongest * min(1.0, math.hypot(across, up) / em(RADIUS)) ** 2
    direction = (heading + math.degrees(math.atan2(across, up))) % 360
    return {"sea.wind.speed": round(2 * speed) / 2, "sea.wind.direction": round(direction) % 360}


def grip(name: str, middle: Place, size: Place, help: str = "") -> bool:
    """Draw an invisible handle for the mouse, with its values while it is held; return whether it is."""
    imgui.set_next_window_pos(middle, pivot=(0.5, 0.5))
    imgui.set_next_window_size(size)
    imgui.push_style_var(imgui.StyleVar_.window_padding, (0, 0))
    imgui.push_style_var(imgui.StyleVar_.window_min_size, (1, 1))
    with imgui_ctx.begin(f"###{name}", None, FLAGS):
        imgui.invisible_button(name, size)
        is_held = bool(imgui.is_item_active())
        if is_held and help:
            theme.show_tooltip(help)
        elif help:
            tooltip(f"{help} Drag it.")
    imgui.pop_style_var(2)
    return is_held


def on_screen(view: ViewSettings, box: Box, azimuth: float, elevation: float) -> tuple[float, float] | None:
    """Return the position of a direction of the sky in the view; None outside."""
    across, high = math.radians(azimuth), math.radians(elevation)
    there = math.sin(across) * math.cos(high), math.sin(high), -math.cos(across) * math.cos(high)
    right, up, ahead = camera.axes(view) @ there
    if ahead <= 0:
        return None
    scale = camera.pixels_at_unit_distance(view, 1) * box.height / ahead
    x, y = box.width / 2 + right * scale, box.height / 2 - up * scale
    return (box.x + x, box.y + y) if 0 <= x <= box.width and 0 <= y <= box.height else None


def direction_at(view: ViewSettings, box: Box, x: float, y: float) -> tuple[float, float]:
    """Return azimuth and elevation [degrees] of the direction at a position of the view."""
    east, up, south = camera.pixel_ray(view, (box.width, box.height), x - box.x, box.y + box.height - y)
    return math.degrees(math.atan2(east, -south)) % 360, math.degrees(math.asin(up))


ENTRIES = ((PICTURE, ""), *((name, field) for name, view in DEBUG_VIEWS.items() for field in view.pictures or ("",)))
"""All entries (name, field) of debug views; the field is empty unless the view has a picture of each field."""
_DIGITS, _FUNCTIONS = (f"NUMBER_{n % 10}" for n in range(1, 11)), (f"F{n}" for n in range(3, 11))
_SHIFTED = (f"SHIFT+F{n}" for n in (2, 3, 4))
KEYS = dict(zip(DEBUG_VIEWS, (*_DIGITS, "F2", "F", *_FUNCTIONS, *_SHIFTED), strict=True))
"""The key of each debug view, by moderngl-window's name."""


def shows_map(stage: DebugViewSettings) -> bool:
    """Return whether waves or maps are shown, which mouse and wheel move and enlarge in place of the camera."""
    names = (stage.view, stage.beside) if stage.view in DEBUG_VIEWS else ()
    return any(name in DEBUG_VIEWS and not DEBUG_VIEWS[name].is_seen_from_camera for name in names)


def zoomed(stage: DebugViewSettings, at: tuple[float, float], notches: float) -> DebugViewSettings:
    """Enlarge a map by notches of the wheel, around a position in its square (0 to 1, across and downwards)."""
    low, high = (bound or 1.0 for bound in range_of(DebugViewSettings.model_fields["zoom"]))
    zoom = min(high, max(low, stage.zoom * NOTCH ** (2 * notches)))
    starts = (min(max(mid - 0.5 / stage.zoom, 0.0), 1 - 1 / stage.zoom) for mid in (stage.x, stage.z))
    x, z = (start + part / stage.zoom + (0.5 - part) / zoom for start, part in zip(starts, at, strict=True))
    return centred(stage.model_copy(update={"zoom": zoom}), x, z)


def centred(stage: DebugViewSettings, x: float, z: float) -> DebugViewSettings:
    """Move the centre of a map, as far as the map reaches."""
    half = 0.5 / stage.zoom
    return stage.model_copy(update={"x": min(max(x, half), 1 - half), "z": min(max(z, half), 1 - half)})


class ValuesPlot:
    """The histogram of a debug view's values, with a handle at each end of the colours."""

    def __init__(self) -> None:
        self.is_open = False  # whether the last frame showed it
        self.counts: NDArray[np.uint32] | None = None  # pixels, (numbers of the view, parts of the range)
        self.ends = 0.0, 1.0  # values of the first and last colour

    def draw(self, edit: Editor) -> None:
        stage = edit.settings.stage
        flags = implot.Flags_.canvas_only | implot.Flags_.no_frame
        self.is_open = stage.view in DEBUG_VIEWS and bool(implot.begin_plot("##values", (-1, em(7)), flags))
        if not self.is_open:
            return
        locked = implot.AxisFlags_.no_decorations | implot.AxisFlags_.lock
        implot.setup_axes("", "", locked, implot.AxisFlags_.no_decorations | implot.AxisFlags_.auto_fit)
        implot.setup_axis_limits(implot.ImAxis_.x1, -0.02, 1.02, imgui.Cond_.always)  # room for the handles
        parts = DEBUG_VIEWS[stage.view].parts
        for name, row in zip(parts, [] if self.counts is None else self.counts, strict=False):
            middles = (np.arange(len(row)) + 0.5) / len(row)
            implot.plot_line(name, middles, np.sqrt(row.astype(np.float64)))  # rare values show beside frequent ones
        for number, (name, value) in enumerate((("low", stage.low), ("high", stage.high))):
            moved, new, *_ = implot.drag_line_x(number, value, theme.ACCENT, 2.0)
            if moved:
                edit.changes[f"stage.{name}"] = min(1.0, max(0.0, round(float(new), 3)))
        implot.end_plot()
        tooltip("Number of pixels by value, as square roots. Drag the lines to set the ends of the colours.")
        theme.coloured(f"{self.ends[0]:.4g} to {self.ends[1]:.4g}", theme.FAINT)


def debug_views(edit: Editor, plot: ValuesPlot) -> None:
    """Draw the panel's section: an entry with its key for each debug view and field, pickers, and the histogram."""
    plot.is_open = False
    if not imgui.collapsing_header("Debug views"):
        return
    shown = edit.settings.stage
    asked = shown
    if imgui.begin_table("debug views", 2):
        for name, field in ENTRIES:
            imgui.table_next_column()
            is_shown = shown.view == name and (not field or DEBUG_VIEWS[name].picture_of(shown.field) == field)
            if imgui.selectable(f"{label(name, field)}###view {name} {field}", is_shown)[0]:
                asked = asked.model_copy(update={"view": PICTURE if is_shown else name, "field": field or shown.field})
            if name in DEBUG_VIEWS:
                tooltip(f"{DEBUG_VIEWS[name].help}\nKey {key_label(name)}")
                imgui.same_line(em(4))
                theme.draw_right(key_label(name), theme.FAINT)
        imgui.end_table()
    edit.changes.update({f"stage.{name}": value for name, value in asked if value != getattr(shown, name)})
    edit.fields("stage", "cascade", "channel", "beside", "zoom", "range")
    plot.draw(edit)


def label(name: str, field: str = "") -> str:
    if name == "packed":
        return PACKED[FIELDS.index(field) // 2]
    return f"{name} {field}".strip().replace("-", " ").replace("_", " ").capitalize()


def key_label(name: str) -> str:
    return KEYS[name].removeprefix("NUMBER_").replace("SHIFT", "Shift")


def pointer(size: tuple[int, int], view: Box) -> tuple[int, int] | None:
    """Return the pixel (from the lower left) under the mouse in a picture that fills the view; None elsewhere."""
    io = imgui.get_io()
    x = int((io.mouse_pos.x - view.x) / max(view.width, 1.0) * size[0])
    y = int((io.mouse_pos.y - view.y) / max(view.height, 1.0) * size[1])
    is_outside = not (0 <= x < size[0] and 0 <= y < size[1])
    return None if io.want_capture_mouse or is_outside else (x, size[1] - 1 - y)
