"""The error that the command line prints as one sentence, with exit status 2."""


class InputError(ValueError):
    """A request that is not possible; the message says why in one sentence."""
