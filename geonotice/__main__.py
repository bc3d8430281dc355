"""Run the command line as ``python -m geonotice``."""

from geonotice.cli import main

main()
