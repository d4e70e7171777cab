from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.screenshots import camera as module
from tests.screenshots.camera import Camera


def test_a_picture_whose_condition_stays_untrue_fails_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_WAIT_S", 0.0)
    problem = SimpleNamespace(summary="The export failed.", details="")
    window: Any = SimpleNamespace(problems=SimpleNamespace(all=[problem]))
    camera = Camera(window, tmp_path, "light", [(640, 480)], ["another"])
    is_over = camera.wait_until(lambda: False)
    assert is_over()
    with pytest.raises(TimeoutError, match="full-export-receipt cannot be taken") as failed:
        next(camera.take("full-export-receipt"))
    assert "test_camera.py" in str(failed.value)
    assert "The export failed." in str(failed.value)
