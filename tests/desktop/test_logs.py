"""Logging."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_the_log_file_names_files_that_are_not_utf_8(tmp_path: Path) -> None:
    code = (
        "import logging, os, sys; from pathlib import Path; from desktop import logs; "
        "logs.start(verbose=False, file=Path(sys.argv[1])); "
        "logging.getLogger('desktop').warning('%s cannot be read', os.fsdecode(b'caf\\xe9.pdf'))"
    )
    log = tmp_path / "new folder" / "pairwright.log"
    done = subprocess.run([sys.executable, "-c", code, str(log)], capture_output=True, text=True, check=True)
    assert log.read_text(encoding="utf-8").endswith("WARNING desktop: caf\\udce9.pdf cannot be read\n")
    assert "Traceback" not in done.stderr
