"""Scripts that make the files of `assets`. They run at the root of a checkout."""
