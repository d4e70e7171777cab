"""The language of the window: installs a translation, if there is one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from desktop import translation

TRANSLATIONS = Path(__file__).parents[2] / "translations"


def use_language(application: QCoreApplication, locale: QLocale, folder: Path | None = None) -> bool:
    """Show the window in the language of the locale; returns whether there is a translation.

    Call this before importing modules of the window with texts at module level, which are translated only at import.
    """
    if locale.language() is QLocale.Language.English:
        return False
    translator = QTranslator(application)
    if not translator.load(locale, "pairwright", "_", str(folder or TRANSLATIONS)):
        return False
    application.installTranslator(translator)
    of_qt = QTranslator(application)
    if of_qt.load(locale, "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(of_qt)
    translation.use(lambda text, plural, number: QCoreApplication.translate("", text, plural, number))
    return True
