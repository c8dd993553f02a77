"""Two settings to compare: A, which a person keeps, and B, the later ones; and the last picture of A."""

import moderngl

from ocean.gpu.context import labelled, release_framebuffer
from ocean.settings import Settings
from ocean.window.ui.journey import with_camera


class Kept:
    """The settings of the hidden side, and a still picture of A, because a second sea would cost as much as the first.
    Each time A is shown, a new picture is taken."""

    def __init__(self) -> None:
        self.other: Settings | None = None
        """Settings of the side that is not shown."""
        self.shows_a = False
        self.time = 0.0  # time of the sea in the picture [s]
        self._picture: moderngl.Framebuffer | None = None
        self._wants_picture = False

    @property
    def picture(self) -> moderngl.Texture | None:
        colours = self._picture.color_attachments[0] if self._picture else None
        return colours if isinstance(colours, moderngl.Texture) else None

    def keep(self, settings: Settings) -> None:
        self.other, self.shows_a, self._wants_picture = settings, False, True

    def swap(self, now: Settings) -> Settings:
        """Return the settings of the other side, with the camera and window of `now`.

        Raises:
            ValueError: when nothing is kept.
        """
        if self.other is None:
            raise ValueError("no settings are kept as A")
        shown = with_camera(self.other, now.view).model_copy(update={"window": now.window})
        self.other = now
        self.shows_a = not self.shows_a
        return shown

    def take_picture(self, ctx: moderngl.Context, picture: moderngl.Framebuffer, time: float) -> None:
        if not (self.shows_a or self._wants_picture):
            return
        self._wants_picture, self.time = False, time
        if self._picture is None or self._picture.size != picture.size:
            self.release()
            self._picture = ctx.framebuffer(labelled("picture of A", ctx.texture(picture.size, 4)))
        ctx.copy_framebuffer(self._picture, picture)

    def release(self) -> None:
        if self._picture:
            release_framebuffer(self._picture)
        self._picture = None
