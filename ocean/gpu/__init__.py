"""The thin layer over moderngl: contexts, shader sources, named passes and their clocks. It knows nothing of waves."""
