"""What goes wrong with a transform or its storage."""


class FFTError(ValueError):
    """A transform that can't be done, or data that can't be held; the message says why."""
