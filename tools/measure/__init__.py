"""Measurements and checks of the program. Each writes or prints a report that docs/measurements keeps."""
