"""Stages of a frame that can be looked at in place of the picture."""
