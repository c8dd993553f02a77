"""Validation: whether a sea measures what its spectrum promises."""
