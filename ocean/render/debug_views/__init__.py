"""Debug views: the stages of a frame that can be looked at in place of the picture."""
