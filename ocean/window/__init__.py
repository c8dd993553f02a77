"""The desktop window: its loop, its session, its recordings, and the interface in `ui`."""
