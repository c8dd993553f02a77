"""The error that the command line answers with one sentence and exit status 2."""


class InputError(ValueError):
    """Something that a person asked for can't be done; the message is one sentence that says why."""
