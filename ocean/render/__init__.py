"""Drawing the sea: camera, surface, sky, tone mapping, and the frame that puts them in order. Knows no window."""
