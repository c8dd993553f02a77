"""Pages of the site that are generated from code."""
