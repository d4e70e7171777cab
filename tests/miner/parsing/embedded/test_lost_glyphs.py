"""Letters that fonts do not name are found by the words they make; other text stays, or is said to be unreadable."""

from __future__ import annotations

import io
import re

import numpy as np
import pypdf
import pytest
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject

from miner.parsing.embedded.font_dictionaries import FontDictionaries, glyph_text
from miner.parsing.embedded.pdfium import _separate_from_line_ends
from miner.parsing.embedded.wrong_characters import learn_corrections
from miner.records import UNREADABLE
from tests.miner.parsing.pdf_factory import LEFT, Sheet, prose

TEXT = (
    "The fluorescence of the first five fields was significant, but the quantification of the effect was difficult.",
    "After the shift, often left to the staff of the office, the little buffer was sufficient for all different flow.",
    "This influenza spread. The theory that they followed was. Thymus cells were affected, and the shuffled ones.",
)
LIGATURES = ("ffi", "ffl", "fi", "fl", "ff", "ft", "tt", "Th")


def corrected(*texts: str) -> tuple[str, ...]:
    lines = texts
    for correction in learn_corrections("\n".join(texts)):
        lines = tuple(map(correction.apply, lines))
    return lines


def without(texts: tuple[str, ...], codes: str) -> tuple[str, ...]:
    for ligature, code in zip(LIGATURES, codes, strict=True):
        texts = tuple(text.replace(ligature, code) for text in texts)
    return texts


@pytest.mark.parametrize(
    "codes",
    [
        "\ue103\ue104\ue09d\ue09e\ue105\uf001\uf002\uf003",
        "\x0e\x0f\x0c\x05\x0b\x1e\x1d\x7f",
        "\x93\x94\x80\x81\x82\x83\x84\x85",
    ],
)
def test_codes_become_the_letters_that_complete_words(codes: str) -> None:
    assert corrected(*without(TEXT, codes)) == TEXT


@pytest.mark.parametrize(
    ("texts", "read"),
    [
        (  # "otter" is a word, too, but this is TeX's number of "ff"
            ("They o\x1ber no di\x1berent answer, i\x1b it is so; \x1crst of all, the de\x1cnition was signi\x1ccant."),
            ("They offer no different answer, iff it is so; first of all, the definition was significant."),
        ),
        (  # of two fonts
            ("di\x1ecult, su\x1ecient, di\x1eculty, le\x1e, a\x1eer, dra\x1e and so\x1eware: it is o\x1een so."),
            ("difficult, sufficient, difficulty, left, after, draft and software: it is often so."),
        ),
    ],
)
def test_a_code_that_words_leave_open_is_what_it_is_elsewhere(texts: str, read: str) -> None:
    assert corrected(texts) == (read,)


def test_glyphs_with_the_codes_of_line_ends_and_tabs_are_told_from_these() -> None:
    codes = np.array([ord(code) for code in "e\nective\r\nA\rer \there\tis"], dtype=np.uint32)
    _separate_from_line_ends(codes)
    assert "".join(map(chr, codes)) == "e\ue00aective\r\nA\ue00der \ue009here\tis"


def test_ligatures_that_left_nothing_are_put_back_where_a_paper_lacks_them() -> None:
    texts = (
        "The uorescence of the rst ve elds was signicant, but the quantication of it was nal and ofcial.",
        "The scientic denition of a prole is sufcient for specic species, as the ndings of the con ict conrm.",
    )
    words = re.findall(r"\w+", " ".join(corrected(*texts)))
    assert {"fluorescence", "first", "significant", "quantification", "scientific", "specific", "profile"} <= set(words)
    one = ("A uorescence lamp was there, and the aer was not.",)
    assert corrected(*one) == one


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("\uf0b7 Boats of wood", "Boats of wood"),  # a bullet
        ("498 \ue123 10 g", f"498 {UNREADABLE} 10 g"),
        ("at 4\x01C they", f"at 4{UNREADABLE}C they"),
        ("x\ue0f1y are the", f"x{UNREADABLE}y are the"),
        ("PMID \uf731\uf732", "PMID 12"),
    ],
)
def test_what_no_word_tells_is_unreadable(text: str, read: str) -> None:
    assert corrected(text)[0].strip() == read


@pytest.mark.parametrize("sign", ["+", "3", "%", "Œ"])
def test_a_sign_for_th_is_found_after_a_full_stop_too(sign: str) -> None:
    texts = (
        "_e thymus is in the environment._erefore, it grows. _us, _is was seen; 3 mm of it.",
        "_ymus cells (_ese were few) and _at is in Fig. 3e and in 3rd place.",
    )
    assert corrected(*(text.replace("_", sign) for text in texts)) == tuple(text.replace("_", "Th") for text in texts)


def test_elseviers_brackets_are_known_by_their_order_though_letters_stand_beside_them() -> None:
    texts = ("The value umðtÞ ¼ vmðxÞ þ wnðtÞ holds, where fðaÞ and gðbÞ ¼ 2 are given.",)
    assert corrected(*texts) == ("The value um(t) = vm(x) + wn(t) holds, where f(a) and g(b) = 2 are given.",)


def test_icelandic_names_with_initials_stay() -> None:
    texts = ("Þórður Sigurðsson, Þ. Guðmundsson, Þóra Þ. Sigurðardóttir and Þorvaldur Friðriksson, Þ. Jónsson.",) * 4
    assert corrected(*texts) == texts


def test_words_that_a_space_cuts_are_whole_again() -> None:
    assert corrected("The inf luenza virus exhib ited an abil ity, and perform ance in fluenced it.") == (
        "The influenza virus exhibited an ability, and performance influenced it.",
    )


@pytest.mark.parametrize(
    "text",
    [
        "A data set of the time series in vivo and in silico is a symptomatic case of work of honey bees.",
        "Helm et al. found that chicken pox and cow pox are there; Rafi and Inf liked it.",
    ],
)
def test_words_that_stand_alone_stay_apart(text: str) -> None:
    assert corrected(text) == (text,)


def test_glyphs_are_known_by_their_names() -> None:
    named = {name: glyph_text(name, "AdvP4C4E74") for name in ("/C0", "/C2", "/C6", "/C20", "/C21", "/C255", "/g12")}
    assert named == {"/C0": "−", "/C2": "×", "/C6": "±", "/C20": "≤", "/C21": "≥", "/C255": "", "/g12": ""}
    assert [glyph_text(name, "Times") for name in ("H9262", "H11005", "C20", "Delta1")] == ["μ", "=", "", "Δ"]


def test_names_of_glyphs_in_a_fonts_dictionary_are_read() -> None:
    sheet = Sheet()
    prose(sheet)
    sheet.line(LEFT, 300, "X", 10, "Courier")
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(sheet.bytes()))
    for font in writer.pages[0]["/Resources"]["/Font"].values():
        font = font.get_object()
        if font["/BaseFont"] == "/Courier":
            font[NameObject("/BaseFont")] = NameObject("/ABCDEF+AdvP4C4E74")
            differences = ArrayObject([NumberObject(88), NameObject("/C20")])
            font[NameObject("/Encoding")] = DictionaryObject({NameObject("/Differences"): differences})
    pdf = io.BytesIO()
    writer.write(pdf)
    dictionaries = FontDictionaries(pdf.getvalue())
    assert dictionaries.table(1, "AdvP4C4E74") == {88: "≤"}
    assert dictionaries.table(1, "Times-Roman") == dictionaries.table(2, "AdvP4C4E74") == {}
    assert FontDictionaries(b"%PDF-1.4 cut short").table(1, "Times-Roman") == {}


def test_ligatures_that_left_spaces_are_put_back_where_a_paper_has_many() -> None:
    texts = ("The signi cant de nition re ects the in ation; Scienti cally, it is ef cient.",)
    assert corrected(*texts) == ("The significant definition reflects the inflation; Scientifically, it is efficient.",)
    assert corrected("The signi cant ones of the list.") == ("The signi cant ones of the list.",)
