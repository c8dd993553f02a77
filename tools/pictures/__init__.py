"""Pictures and films of README, docs and the panel."""
