"""The FFT ocean: `python app.py --help` says what it can do; with no command it opens the window."""

from ocean.cli import main

if __name__ == "__main__":
    main()
