"""The layout of the windows: docked beside the view, movable, and kept between sessions.

The view is the dock's central node, which has no window of its own: there the mouse moves the camera.
"""

from dataclasses import dataclass

from imgui_bundle import imgui

from ocean.window.ui.theme import em

PANEL, OVERLAY, COMPARISON = "###panel", "###overlay", "###comparison"
PANEL_WIDTH, OVERLAY_WIDTH, COMPARISON_HEIGHT = 24.0, 22.0, 26.0  # em
FULL_WIDTH, SLIM = 1280, 0.86  # width of a window below which panels are narrower, and their share of the width
SQUEEZED_VIEW = 12.0  # em; least view in a shrunk window before the layout for narrow windows
LEAST_VIEW = 26.0  # em; with less room for the view, the overlay lies behind the panel
NARROW = "; narrow\n"  # comment at the top of the program's layout for a narrow window


@dataclass(frozen=True)
class Box:
    """Rectangle in the window's units, from its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    def pixels(self, across: float, down: float) -> tuple[int, int]:
        """Return the size in pixels, for these numbers of pixels per unit."""
        return max(1, round(self.width * across)), max(1, round(self.height * down))


class Layout:
    def __init__(self, ini: str = "") -> None:
        """Take the `text` of the last session's layout; the empty text stands for the default layout."""
        self._wants_default = not ini
        self._until_focus = 0  # frames until the panel lies before its neighbours in the dock
        if ini:
            imgui.load_ini_settings_from_memory(ini)
        self._wants_next = False
        self._focused = -1  # window that has got the keyboard
        self._unit = self._panel = 0.0  # unit of the docks' widths, and the panel's width, when they were set
        self._is_narrow = ini.startswith(NARROW)  # True: the program made the layout, for a narrow window
        self.view = Box(0, 0, 1, 1)

    @property
    def text(self) -> str:
        return (NARROW if self._is_narrow else "") + str(imgui.save_ini_settings_to_memory())

    def reset(self) -> None:
        """Put the windows back into their places, from the next frame on."""
        self._wants_default = True

    def focus_next(self) -> None:
        """Put the keyboard's cursor into the next window, in the order of reading."""
        self._wants_next = True

    def fill(self) -> None:
        """Let the view fill a frame without windows."""
        display = imgui.get_io().display_size
        self.view = Box(0, 0, display.x, display.y)

    def draw(self) -> None:
        """Make the dock of this frame, before the windows in it."""
        flags = imgui.DockNodeFlags_.passthru_central_node | imgui.DockNodeFlags_.no_docking_over_central_node
        flags |= imgui.internal.DockNodeFlagsPrivate_.no_window_menu_button
        dock = imgui.get_id("dock")
        width = imgui.get_main_viewport().work_size.x
        unit, panel = unit_of(width), panel_width(width)
        is_narrow = width < em(PANEL_WIDTH + OVERLAY_WIDTH + LEAST_VIEW)
        if is_narrow != self._is_narrow and (self._is_narrow or self.view.width < em(SQUEEZED_VIEW)):
            self._wants_default = True
        if self._wants_default:
            self._is_narrow = is_narrow
            self._wants_default = False
            self._until_focus = 3
            build(dock)
        elif self._unit and (unit, panel) != (self._unit, self._panel):
            scale_docks(panel / self._panel, unit / self._unit)
        self._unit, self._panel = unit, panel
        imgui.dock_space_over_viewport(dock, imgui.get_main_viewport(), flags)
        names = [name for name in (PANEL, OVERLAY, COMPARISON) if is_drawn(name)]
        if self._wants_next and names:
            self._wants_next = False
            self._focused = (self._focused + 1) % len(names)
            imgui.set_window_focus(names[self._focused])
            imgui.internal.nav_init_window(imgui.internal.find_window_by_name(names[self._focused]), True)
            imgui.set_nav_cursor_visible(True)
        if self._until_focus:
            self._until_focus -= 1
            if self._until_focus == 0:
                imgui.set_window_focus(PANEL)
        node = imgui.internal.dock_builder_get_central_node(dock)
        # Whole units copy the picture pixel by pixel.
        x, y = round(node.pos.x), round(node.pos.y)
        self.view = Box(x, y, round(node.pos.x + node.size.x) - x, round(node.pos.y + node.size.y) - y)


def build(dock: int) -> None:
    """Build the default layout: settings on the left, times on the right, the comparison below."""
    builder, viewport = imgui.internal, imgui.get_main_viewport()
    builder.dock_builder_remove_node(dock)
    builder.dock_builder_add_node(dock, imgui.internal.DockNodeFlagsPrivate_.dock_space)
    builder.dock_builder_set_node_size(dock, viewport.work_size)
    width, height = max(viewport.work_size.x, 1.0), max(viewport.work_size.y, 1.0)
    is_narrow = width < em(PANEL_WIDTH + OVERLAY_WIDTH + LEAST_VIEW)
    panel = panel_width(width) / width
    left, rest = split(dock, imgui.Dir.left, panel)
    right = left
    if not is_narrow:
        right, rest = split(rest, imgui.Dir.right, OVERLAY_WIDTH * unit_of(width) / (width * (1 - panel)))
    below, _ = split(rest, imgui.Dir.down, min(0.6, em(COMPARISON_HEIGHT) / height))
    for name, node in ((PANEL, left), (OVERLAY, right), (COMPARISON, below)):
        builder.dock_builder_dock_window(name, node)
    builder.dock_builder_finish(dock)


def unit_of(width: float) -> float:
    """Return the unit of the docks' widths in a window of this width."""
    return em(SLIM if width < FULL_WIDTH else 1.0)


def panel_width(width: float) -> float:
    """Return the width that the panel gets in a window of this width."""
    return min(0.5 * width, PANEL_WIDTH * unit_of(width))


def is_drawn(name: str) -> bool:
    """Return whether a window was drawn in the last frame."""
    window = imgui.internal.find_window_by_name(name)
    return window is not None and bool(window.was_active)


def scale_docks(across: float, down: float) -> None:
    """Scale the widths of the docked windows beside the view, and the height of the window below it."""
    windows = filter(None, map(imgui.internal.find_window_by_name, (PANEL, OVERLAY, COMPARISON)))
    nodes = {node.id_: node.size_ref for window in windows if (node := window.dock_node) is not None}
    for number, size in nodes.items():  # windows may share a node
        imgui.internal.dock_builder_set_node_size(number, (size.x * across, size.y * down))


def split(node: int, side: imgui.Dir, share: float) -> tuple[int, int]:
    """Split a node; return the part at a side, and the rest."""
    _, part, rest = imgui.internal.dock_builder_split_node_py(node, side, share)
    return part, rest
