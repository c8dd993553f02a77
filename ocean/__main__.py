"""The command line as a module: `python -m ocean`."""

from ocean.cli import main

if __name__ == "__main__":
    main()
