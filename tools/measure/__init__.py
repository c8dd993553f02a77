"""Measurements and checks of the program, each of which writes or prints a report that docs/measurements keeps."""
