"""The error of transforms and their storage."""

from ocean.common.errors import InputError


class FFTError(InputError):
    """A transform or a storage that is not possible; the message says why."""
