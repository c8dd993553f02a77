"""A frame of the sea: camera, surface, sky, post-processing, and their order. It knows no window."""
