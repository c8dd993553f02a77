"""Dear ImGui over moderngl: its contexts, its draw lists and textures, and a window's input on its event queue.

moderngl-window's own renderer supports only ImGui before 1.92. This one knows nothing about the interface.
"""

import ctypes
import math
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import moderngl
import numpy as np
from imgui_bundle import imgui, implot
from moderngl_window.context.base import BaseKeys, KeyModifiers
from numpy.typing import NDArray
from PIL import Image

from ocean.gpu.bindings import Sampler
from ocean.gpu.context import labelled, release_all
from ocean.gpu.shaders import shader_library
from ocean.window.ui.theme import REFRESH, is_any_popup_open

FIRST_BYTES = 1 << 18  # first size of each buffer; buffers double when a frame needs more
OTHER_NAMES = {
    **{name: f"{name.lower()}_arrow" for name in ("LEFT", "RIGHT", "UP", "DOWN")},
    **{f"NUMBER_{n}": f"_{n}" for n in range(10)},
    **{f"NUMPAD_{n}": f"keypad{n}" for n in range(10)},
}
"""moderngl-window's names of keys, and ImGui's, for names that differ in more than case."""
NAVIGATION = "LEFT", "RIGHT", "UP", "DOWN", "SPACE", "ENTER", "TAB", "ESCAPE"


class DrawList(NamedTuple):
    """Vertices, indices, and commands: texture, number of indices, first index, base vertex, clip rectangle."""

    vertices: bytes
    indices: bytes
    commands: Sequence[tuple[int, int, int, int, tuple[float, ...]]]

    @classmethod
    def of(cls, drawn: imgui.ImDrawList) -> "DrawList":
        commands = [
            (one.tex_ref.get_tex_id(), one.elem_count, one.idx_offset, one.vtx_offset, tuple(one.clip_rect))
            for one in drawn.cmd_buffer
        ]
        vertices, indices = drawn.vtx_buffer, drawn.idx_buffer
        return cls(memory_of(vertices, imgui.VERTEX_SIZE), memory_of(indices, imgui.INDEX_SIZE), commands)


class ImGuiRenderer:
    """Dear ImGui's and ImPlot's contexts, and the GPU objects that draw them.

    A frame is `begin`, ImGui calls, `draw`; or `draw_again`, which draws the lists of the last one, kept on the GPU.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self.context = imgui.create_context()
        self.plots = implot.create_context()
        self.io = imgui.get_io()
        self.io.set_ini_filename(None)  # so that ImGui says when the layout has changed
        self.io.ini_saving_rate = 0.5
        self.io.config_flags |= imgui.ConfigFlags_.docking_enable | imgui.ConfigFlags_.nav_enable_keyboard
        self.io.config_nav_capture_keyboard = False  # letters also move the camera while a window has the focus
        self.io.backend_flags |= imgui.BackendFlags_.renderer_has_textures | imgui.BackendFlags_.renderer_has_vtx_offset
        self._textures: dict[int, moderngl.Texture] = {}
        self._lent: dict[int, moderngl.Texture] = {}  # textures lent for this frame
        self._lists: dict[str, DrawList] = {}  # draw lists of the last frame, by window
        self._places: dict[str, tuple[float, object]] = {}  # when a window is due to be rebuilt, and its place
        self._kept: set[str] = set()  # windows of this frame with the draw list of the last one
        self._atlases = 0  # number of textures that were made for ImGui
        self._draws: list[tuple[moderngl.Texture, int, int]] = []  # textures, first commands, numbers of commands
        self._pictures: dict[Path, moderngl.Texture] = {}
        self._program = shader_library(ctx).program("ui/imgui.vert", "ui/imgui.frag")
        names = "vertices", "indices", "commands", "clips"
        self._buffers = [labelled(f"interface {name}", ctx.buffer(reserve=FIRST_BYTES, dynamic=True)) for name in names]
        vertices, indices, _, clips = self._buffers
        layout = [(vertices, "2f 2f 4f1", "position", "texel", "tint"), (clips, "4f/i", "clip")]
        self._array = ctx.vertex_array(self._program, layout, indices, index_element_size=imgui.INDEX_SIZE)

    def begin(self, size: tuple[int, int], pixel_ratio: float, elapsed: float) -> None:
        """Start a frame of a window of `size` units, `pixel_ratio` pixels each, `elapsed` seconds after the last."""
        imgui.set_current_context(self.context)
        implot.set_current_context(self.plots)
        self.io.display_size = imgui.ImVec2(*size)
        self.io.display_framebuffer_scale = imgui.ImVec2(pixel_ratio, pixel_ratio)
        self.io.delta_time = max(elapsed, 1e-5)
        imgui.new_frame()

    def shown(self, texture: moderngl.Texture) -> imgui.ImTextureRef:
        """Lend ImGui a texture for the draw lists of this frame."""
        self._lent[texture.glo] = texture
        return imgui.ImTextureRef(texture.glo)

    def read(self, path: Path) -> imgui.ImTextureRef:
        """Return a picture file as a texture, read at the first request."""
        if path not in self._pictures:
            with Image.open(path) as picture:
                texture = self.ctx.texture(picture.size, 4, picture.convert("RGBA").tobytes())
            texture.repeat_x = texture.repeat_y = False
            texture.label = path.name
            self._pictures[path] = self._textures[texture.glo] = texture
        return imgui.ImTextureRef(self._pictures[path].glo)

    def keeps(self, content: object = None) -> bool:
        """Return whether the window just begun keeps its last drawing: if neither mouse nor keyboard uses it, and the
        drawing is recent or has the same `content`. Then nothing else may be drawn into it."""
        window, now = imgui.internal.get_current_window(), imgui.get_time()
        place = tuple(window.pos), tuple(window.size), self._atlases, content
        due, before = self._places.get(window.name, (0.0, None))
        is_used = imgui.is_window_hovered() or imgui.is_any_item_active() or self.io.nav_visible or is_any_popup_open()
        if now >= due or place != before or is_used:
            # The mouse leaves a highlight, which the next drawing lacks.
            self._places[window.name] = 0.0 if is_used else math.inf if content else now + REFRESH, place
            return False
        imgui.dummy(window.content_size)
        stand_in = window.pos, window.rect().max, 1 << 24  # ImGui leaves out an empty list
        imgui.get_window_draw_list().add_rect_filled(*stand_in)
        self._kept.add(window.name)
        return True

    def refresh(self) -> None:
        """Rebuild all windows."""
        self._places.clear()

    def draw(self, framebuffer: moderngl.Framebuffer) -> None:
        """End the frame and draw it over a framebuffer's content."""
        imgui.render()
        for texture in imgui.get_platform_io().textures:
            self._update(texture)
        self._upload(imgui.get_draw_data(), framebuffer.size)
        self._lent.clear()
        self._kept.clear()
        self.draw_again(framebuffer)

    def draw_again(self, framebuffer: moderngl.Framebuffer) -> None:
        """Draw the lists of the last frame over the content of a framebuffer of its size."""
        if not self._draws:
            return
        framebuffer.use()
        self.ctx.enable_only(moderngl.BLEND)
        self.ctx.blend_equation = moderngl.FUNC_ADD, moderngl.FUNC_ADD
        self.ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self.ctx.wireframe = False
        for texture, first, count in self._draws:
            texture.use(Sampler.INTERFACE)
            self._array.render_indirect(self._buffers[2], moderngl.TRIANGLES, count, first=first)
        self.ctx.enable_only(moderngl.NOTHING)

    def _upload(self, data: imgui.ImDrawData, size: tuple[int, int]) -> None:
        """Write the draw lists into the buffers, and gather consecutive commands with the same texture."""
        vertices, indices = list[bytes](), list[bytes]()
        commands, clips = list[tuple[int, ...]](), list[tuple[float, ...]]()
        textures, vertex, index = list[int](), 0, 0
        for part in data.cmd_lists if min(data.display_size) > 0 else ():
            name = part._owner_name
            if name not in self._kept:
                self._lists[name] = DrawList.of(part)
            drawn = self._lists[name]
            vertices.append(drawn.vertices)
            indices.append(drawn.indices)
            for texture, count, first, base, clip in drawn.commands:
                textures.append(texture)
                commands.append((count, 1, index + first, vertex + base, len(clips)))  # the last one chooses the clip
                clips.append(clip)
            vertex += len(drawn.vertices) // imgui.VERTEX_SIZE
            index += len(drawn.indices) // imgui.INDEX_SIZE
        runs = [(number, list(run)) for number, run in groupby(range(len(textures)), textures.__getitem__)]
        known = self._textures | self._lent
        self._draws = [(known[number], run[0], len(run)) for number, run in runs]
        boxes = pixel_boxes(np.array(clips).reshape(-1, 2, 2), data, size)
        contents = b"".join(vertices), b"".join(indices), np.array(commands, "u4").tobytes(), boxes.tobytes()
        for buffer, content in zip(self._buffers, contents, strict=True):
            buffer.orphan(max(buffer.size, 1 << len(content).bit_length()))
            buffer.write(content)
        self._program["pixels"] = tuple(data.display_size)

    def _update(self, texture: imgui.ImTextureData) -> None:
        if texture.status == imgui.ImTextureStatus.want_create:
            size = texture.width, texture.height
            made = self.ctx.texture(size, texture.bytes_per_pixel, pixels_of(texture).tobytes(), alignment=1)
            made.repeat_x = made.repeat_y = False
            made.label = "imgui"
            self._textures[made.glo] = made
            self._atlases += 1
            texture.set_tex_id(made.glo)
            texture.set_status(imgui.ImTextureStatus.ok)
        elif texture.status == imgui.ImTextureStatus.want_updates:
            self._textures[texture.get_tex_id()].write(pixels_of(texture).tobytes(), alignment=1)
            texture.set_status(imgui.ImTextureStatus.ok)
        elif texture.status == imgui.ImTextureStatus.want_destroy and texture.unused_frames > 0:
            self._forget(texture)

    def _forget(self, texture: imgui.ImTextureData) -> None:
        if (made := self._textures.pop(texture.get_tex_id(), None)) is not None:
            made.release()
        texture.set_tex_id(0)
        texture.set_status(imgui.ImTextureStatus.destroyed)

    def release(self) -> None:
        imgui.set_current_context(self.context)
        for texture in imgui.get_platform_io().textures:
            self._forget(texture)
        release_all(*self._pictures.values())
        release_all(self._array, *self._buffers)
        implot.destroy_context(self.plots)
        imgui.destroy_context(self.context)


def memory_of(vector: Any, item_bytes: int) -> bytes:
    return ctypes.string_at(vector.data_address(), vector.size() * item_bytes)


def pixels_of(texture: imgui.ImTextureData) -> NDArray[np.uint8]:
    """Return a texture's pixels, (height, width, bytes)."""
    return np.asarray(texture.get_pixels_array(), np.uint8).reshape(texture.height, texture.width, -1)


def pixel_boxes(clips: NDArray[np.float64], data: imgui.ImDrawData, size: tuple[int, int]) -> NDArray[np.float32]:
    """Return clip rectangles (n, 2 corners, 2) as left, bottom, right, top in pixels from the bottom left, (n, 4)."""
    corners = np.rint((clips - tuple(data.display_pos)) * tuple(data.framebuffer_scale)).clip(0, size)
    (left, top), (right, bottom) = corners[:, 0].T, corners[:, 1].T
    return np.stack((left, size[1] - bottom, right, size[1] - top), axis=1, dtype=np.float32)


FIELD_FRAMES = 8  # maximum number of frames until a requested field appears


class ImGuiInput:
    """Input events for ImGui's queue; positions are in the window's units."""

    def __init__(self, io: imgui.IO, keys: type[BaseKeys]) -> None:
        self.io = io
        named = {getattr(keys, name): OTHER_NAMES.get(name, name.lower()) for name in dir(keys) if name.isupper()}
        self._keys = {key: getattr(imgui.Key, name) for key, name in named.items() if hasattr(imgui.Key, name)}
        self._letters = {key for key, name in named.items() if len(name.strip("_")) == 1}  # and digits
        self._navigation = {getattr(keys, name) for name in NAVIGATION}
        self._held, self._waits = "", 0  # characters for a coming field, and frames left for it
        self.place = -1.0, -1.0  # of the mouse
        self._has_moved = False  # True: ImGui does not know the place yet
        self._ctrl = keys.LEFT_CTRL
        self._shift = (keys.LEFT_SHIFT, keys.RIGHT_SHIFT)

    @property
    def wants_mouse(self) -> bool:
        return bool(self.io.want_capture_mouse)

    @property
    def wants_keyboard(self) -> bool:
        """Whether the keyboard belongs to ImGui: a text is being typed, a slider held, or a list open."""
        return bool(self.io.want_capture_keyboard) or is_any_popup_open() or self._waits > 0

    @property
    def is_typing(self) -> bool:
        """Whether a text field has the keyboard, or will get it soon."""
        return bool(self.io.want_text_input) or self._waits > 0

    def navigates(self, key: Any) -> bool:
        """Return whether a key moves ImGui's cursor or acts on its item: some keys, once the cursor is shown."""
        return bool(self.io.nav_visible) and key in self._navigation

    def key(self, key: Any, down: bool, modifiers: KeyModifiers) -> None:
        """Report a pressed or released key. Window libraries report the modifiers as they were before the event."""
        self.modifiers(modifiers)
        if key == self._ctrl:
            self.io.add_key_event(imgui.Key.mod_ctrl, down)
        elif key in self._shift:
            self.io.add_key_event(imgui.Key.mod_shift, down)
        # In a field the text of a letter is enough; ImGui takes no key that goes down and up more than once a frame.
        if key in self._keys and not (down and key in self._letters and self.io.want_text_input and not modifiers.ctrl):
            self.io.add_key_event(self._keys[key], down)

    def modifiers(self, modifiers: KeyModifiers) -> None:
        self.io.add_key_event(imgui.Key.mod_ctrl, bool(modifiers.ctrl))
        self.io.add_key_event(imgui.Key.mod_shift, bool(modifiers.shift))
        self.io.add_key_event(imgui.Key.mod_alt, bool(modifiers.alt))

    def text(self, text: str) -> None:
        if self._waits:
            self._held += text
        else:
            self.io.add_input_characters_utf8(text)

    def await_field(self) -> None:
        """Hold typed characters until a requested field takes the keyboard, some frames later."""
        self._waits = FIELD_FRAMES

    def begin(self) -> None:
        self._report_move()
        if self._waits and self.io.want_text_input:
            self.io.add_input_characters_utf8(self._held)
            self._waits = 0
        self._waits = max(self._waits - 1, 0)
        self._held = self._held if self._waits else ""

    def mouse(self, x: float, y: float) -> None:
        """Report the mouse's position. ImGui gets the last one before another event, or with the next frame."""
        self.place, self._has_moved = (x, y), True

    def _report_move(self) -> None:
        if self._has_moved:
            self.io.add_mouse_pos_event(*self.place)
            self._has_moved = False

    def button(self, button: int, down: bool, modifiers: KeyModifiers) -> None:
        """Report that button 1 (left), 2 (right) or 3 (middle) went down or up."""
        self._report_move()
        self.modifiers(modifiers)
        self.io.add_mouse_button_event(button - 1, down)

    def wheel(self, x: float, y: float) -> None:
        self._report_move()
        self.io.add_mouse_wheel_event(x, y)
