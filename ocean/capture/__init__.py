"""Captures: frames without a window, at fixed steps of time, with a report and its comparison with a baseline."""
