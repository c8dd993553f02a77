"""Making of the format of a plan: its module is imported when it is needed."""

from pkgutil import resolve_name

from ocean.export.formats import Format
from ocean.export.plan import INSTALL, ExportError, Plan
from ocean.export.registry import FORMATS


def make_format(plan: Plan) -> Format:
    """Return the format of a plan.

    Raises:
        ExportError: when a package that the format needs is not installed.
    """
    try:
        made: Format = resolve_name(FORMATS[plan.format].home)(plan)
    except ImportError as error:
        raise ExportError(
            f"--format {plan.format} needs a package that is not installed ({error.name}); {INSTALL}"
        ) from None
    return made
