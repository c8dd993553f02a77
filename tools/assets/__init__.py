"""Scripts that make the files of `assets`, to be run at the root of a checkout."""
