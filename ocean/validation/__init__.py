"""Comparison of a sea with its spectrum: predicted and measured statistics."""
