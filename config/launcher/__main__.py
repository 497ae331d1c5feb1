"""`python -m config.launcher`."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an older one gets a sentence
    sys.exit(f"Laurel needs Python 3.11 or newer; this is {sys.version.split()[0]}.")

try:
    from config.launcher.cli import main
except ModuleNotFoundError as missing:
    sys.exit(f"The package {missing.name} is missing: `make clean`, then `make run` installs it.")

sys.exit(main(sys.argv[1:]))
