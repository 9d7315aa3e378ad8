"""``python -m idumb_brain`` is the command line."""

from idumb_brain.surfaces.cli.main import main

raise SystemExit(main())
