"""What `Info.plist` of Pairwright.app says beyond PyInstaller's own: version, project files, oldest macOS.

The spec of the bundle gives it to PyInstaller, with `project.icns` among the data files, which are Contents/Resources.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
IDENTIFIER = "org.pairwright.Pairwright"
PROJECT_TYPE = "org.pairwright.project"
OLDEST_MACOS = "14.0"  # of torch 2.13 and numpy 2.4


def info_plist() -> dict[str, Any]:
    """The keys and values."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return {
        "CFBundleName": "Pairwright",
        "CFBundleDisplayName": "Pairwright",
        "CFBundleShortVersionString": version,
        "CFBundleVersion": version,
        "LSBackgroundOnly": False,  # which PyInstaller would say of a program with a console
        "LSApplicationCategoryType": "public.app-category.education",
        "LSMinimumSystemVersion": OLDEST_MACOS,
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": "MIT License",
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "Pairwright project",
                "CFBundleTypeRole": "Editor",
                "CFBundleTypeIconFile": "project.icns",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": [PROJECT_TYPE],
            }
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": PROJECT_TYPE,
                "UTTypeDescription": "Pairwright project",
                "UTTypeConformsTo": ["public.database", "public.data"],
                "UTTypeIconFile": "project.icns",
                "UTTypeTagSpecification": {
                    "public.filename-extension": ["pairwright"],
                    "public.mime-type": ["application/x-pairwright-project"],
                },
            }
        ],
    }
