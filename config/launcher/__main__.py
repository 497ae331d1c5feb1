"""`python -m config.launcher`."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an older one gets a sentence
    sys.exit(f"Laurel needs Python 3.11 or newer; this is {sys.version.split()[0]}.")

from config.launcher.cli import main

sys.exit(main(sys.argv[1:]))
