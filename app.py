"""The FFT ocean: `python -m ocean --help` says what it can do; with no command it opens the window."""

from ocean.cli import main

if __name__ == "__main__":
    main()
