"""The error of transforms and their storage."""


class FFTError(ValueError):
    """A transform or a storage that is not possible; the message says why."""
