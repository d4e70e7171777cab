"""What the bundle starts: the program `pairwright`, and the worker processes that it spawns from itself."""

import multiprocessing
import os
import sys


def restore_library_path() -> None:
    """Undo what PyInstaller sets: a browser or file manager that the program starts needs the system's libraries.

    What this process loads later is found all the same: the system reads the variable when a process begins. Worker
    processes start from the same executable and need it; PyInstaller sets it again where it is told to begin anew.
    """
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        original = os.environ.pop(f"{name}_ORIG", None)
        os.environ.pop(name, None)
        if original is not None:
            os.environ[name] = original


if __name__ == "__main__":
    multiprocessing.freeze_support()  # in a worker process it does not return
    restore_library_path()
    from desktop.__main__ import main

    sys.exit(main())
