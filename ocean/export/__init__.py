"""The sea as files: maps, patches of the world, meshes and pictures, frame after frame, and never a half one.

`plan` says what is wanted, `frames` computes it, `formats` writes one frame in one of the formats, `folder` keeps what
is done safe, and `run` puts them together.
"""
