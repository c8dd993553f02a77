"""Pages of the site that follow from code."""
