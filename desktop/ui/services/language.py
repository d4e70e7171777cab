"""The language of the window: the translation that was made for it, where there is one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from desktop import translation

TRANSLATIONS = Path(__file__).parents[2] / "translations"


def use_language(application: QCoreApplication, locale: QLocale, folder: Path | None = None) -> bool:
    """Show the window in the language of the locale; whether there is a translation into it.

    To be called before a module of the window is imported that has texts of its own: these stay as they are.
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
