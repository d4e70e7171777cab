"""Composite fonts without a Unicode map are read by the words that their codes make."""

from __future__ import annotations

import io

import pypdf
import pytest
from pypdf.generic import ArrayObject, DecodedStreamObject, DictionaryObject, NameObject, NumberObject, TextStringObject

from miner.parsing.embedded import parse_pdf
from miner.parsing.embedded.missing_maps import unmapped_fonts
from miner.parsing.embedded.unknown_codes import letters_of
from tests.miner.parsing.pdf_factory import BOATS, FERRY, LEADING, STORE

PROSE = [*FERRY, *STORE, *BOATS] * 2
LONGER = " ".join(PROSE) + (
    " Temperature measurements demonstrated significant differences between several populations, however performance"
    " improvements were particularly pronounced. Participants completed questionnaires regarding environmental quality."
    " Subsequently, concentrations increased considerably throughout experimental conditions with additional exposure,"
    " whereas corresponding responses remained approximately constant. Judging by equipment, knowledge was excellent."
)


def composite_pdf(lines: list[str], shift: int, *, has_empty_map: bool = False) -> bytes:
    """One page in a font whose codes are those of ASCII less the shift, which it does not say."""
    name = NameObject
    descendant = DictionaryObject(
        {
            name("/Type"): name("/Font"),
            name("/Subtype"): name("/CIDFontType2"),
            name("/BaseFont"): name("/ABCDEF+Unknown"),
            name("/CIDSystemInfo"): DictionaryObject(
                {
                    name("/Registry"): TextStringObject("Adobe"),
                    name("/Ordering"): TextStringObject("Identity"),
                    name("/Supplement"): NumberObject(0),
                }
            ),
            name("/DW"): NumberObject(500),
        }
    )
    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(600, 800)
    font = DictionaryObject(
        {
            name("/Type"): name("/Font"),
            name("/Subtype"): name("/Type0"),
            name("/BaseFont"): name("/ABCDEF+Unknown"),
            name("/Encoding"): name("/Identity-H"),
            name("/DescendantFonts"): ArrayObject([writer._add_object(descendant)]),
        }
    )
    if has_empty_map:
        empty = DecodedStreamObject()
        empty.set_data(b"begincmap 1 begincodespacerange <0000><FFFF> endcodespacerange endcmap")
        font[name("/ToUnicode")] = writer._add_object(empty)
    fonts = DictionaryObject({name("/F1"): writer._add_object(font)})
    page[name("/Resources")] = DictionaryObject({name("/Font"): fonts})
    shown = [
        f"BT /F1 10 Tf 50 {750 - at * LEADING} Td <{''.join(f'{ord(letter) - shift:04x}' for letter in line)}> Tj ET"
        for at, line in enumerate(lines)
    ]
    stream = DecodedStreamObject()
    stream.set_data("\n".join(shown).encode())
    page[name("/Contents")] = writer._add_object(stream)
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


@pytest.mark.parametrize(("shift", "has_empty_map"), [(29, False), (20, True)])
def test_shifted_letters_are_moved_back(shift: int, has_empty_map: bool) -> None:
    paper = parse_pdf(composite_pdf(PROSE, shift, has_empty_map=has_empty_map))
    text = " ".join(paragraph.text for section in paper.sections for paragraph in section.paragraphs)
    assert "The ferry crosses the sound four times every day of the week except on Sundays" in text
    assert paper.unknown_words == 0


def test_letters_in_any_order_are_found_by_the_forms_of_words() -> None:
    order = {letter: chr(0xE001 + (7 * at) % 95) for at, letter in enumerate(map(chr, range(32, 127)))}
    codes = LONGER.translate(str.maketrans(order))
    letters = letters_of(codes)
    read = codes.translate(str.maketrans(letters))
    small = [letter for letter in "aceimnoprstu" if letters.get(order[letter]) == letter]
    assert len(small) == 12
    assert "emperature measurements demonstrated" in read
    assert not {code: letter for code, letter in letters.items() if letter.islower() and order[letter] != code}


def test_codes_that_make_no_words_stay_unknown() -> None:
    assert letters_of("\ue001\ue002\ue003 \ue004\ue005" * 50) == {}
    assert unmapped_fonts({"DejaVuSans": ["0.5 1.0 1.5"], "Times": ["the ferry crosses the sound"] * 9}) == []
    assert unmapped_fonts({"Arial": ["wkh ihuub furvvhv wkh vrxqg"] * 9, "Symbol": ["\u0160"]}) == ["Arial"]
