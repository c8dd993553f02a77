"""A frame of the sea: camera, surface, sky, post-processing, and their order. The package works without a window."""
