"""The folder of the sample papers that come with the program."""

from pathlib import Path

import desktop

SAMPLES = Path(desktop.__file__).parent / "samples"
