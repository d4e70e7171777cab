"""The language of a paper's prose, by its script and its most frequent words.

A few dozen words such as "the", "of" and "is" make up a third of any English prose and a twentieth of any other, so to
count them tells the languages of papers apart, gene names, formulas and a second abstract notwithstanding.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from miner.records import FORMULA, Paper

ENGLISH = "en"
LANGUAGES = {
    "ar": "Arabic",
    "bg": "Bulgarian",
    "ca": "Catalan",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hu": "Hungarian",
    "id": "Indonesian",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nb": "Norwegian",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sv": "Swedish",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "zh": "Chinese",
}
"""The languages that are recognised: ISO 639-1 and the English name."""

_CODE = re.compile(r"([a-z]{2,3})?")
_WORDS = {
    "bg": "на и в за от се да с като не по са при до е които или след което това между този",
    "ca": "de la el en que les els per un amb una del no es són al com més aquest entre ha dels aquesta també",
    "cs": "na je se že do pro jako které jsou není by nebo po který jeho při však jsme byl bylo tak ve mezi toto "
    "pokud být jej bez pomocí použití této tento také tím než",
    "da": "og at er en det af til på som for med de den der har et ikke var eller kan fra ved om blev være efter",
    "de": "der die und in den von zu das mit des auf für ist im dem nicht ein eine als auch sich bei werden wird "
    "sind aus einer an durch nach oder wurde wurden dass kann können zwischen nur sein diese dieser sowie zum "
    "zur wenn",
    "en": "the of and to in is that for with as are by on was be this we from which were an at not it or have can "
    "has these their our its between been than",
    "es": "de la que el en los se del las un por con no una su para es al como más lo entre este sobre fue son esta "
    "han también puede si sin ser esto cada sus",
    "fi": "ja on ei se että oli ovat myös joka kuin sekä tai mutta voidaan jos niin sen tämä tämän hän olla ole "
    "mukaan jotka kun voi sitä siinä ollut tässä näiden vain",
    "fr": "de la le et les des en du un une est que dans pour qui par sur pas au plus ne se sont avec ce cette ou "
    "aux nous été il être leur également ces entre elle sous si aucune ont peut",
    "hr": "je na se da su za od kao iz ili koji koje što nije bi te po između ovom koja prema može",
    "hu": "az és hogy nem is egy ez volt meg csak de ha mint már vagy azt voltak ezek között által valamint nincs "
    "akkor lehet van minden illetve szerint ezt ennek során",
    "id": "yang dan di dengan untuk pada dari ini dalam adalah tidak oleh dapat sebagai akan itu atau juga penelitian",
    "it": "di la il che in per un è del una della dei le con non si da sono nel al come anche più gli alla delle "
    "essere può questo questa nella quando dal cui sia stato ha",
    "nb": "og er en det av til på som for med de den har et ikke var eller kan fra ved om ble være etter å mellom",
    "nl": "de van het een en in is dat op te zijn met voor die niet aan er als ook door om bij of uit deze naar "
    "wordt worden tussen dit kan hun meer",
    "pl": "na do się jest nie że to jak od po oraz przez dla są za lub które przy był także może między tym jego "
    "tego tej ich tylko jako gdy ten być",
    "pt": "de que do da em os para um com uma no se na por mais as dos não ao das é como foi ou são entre sua "
    "também pelo pela ser este esta nos nas pode sem quando",
    "ro": "de și în la cu nu care din este se pe un mai că pentru sunt sau prin între fost fi ale al acest această "
    "poate",
    "ru": "в и на не с что по для из от как при к о это или его был были между также может а их у то так до если "
    "этот чтобы является же можно только этого которые со",
    "sv": "och att är en det av till på som för med de den har ett inte var eller kan från vid om inom efter mellan "
    "detta denna dessa samt mycket",
    "tr": "ve bir bu da de için ile olarak olan daha çok en gibi sonra ya kadar ise veya olduğu göre tarafından her "
    "olup arasında ancak tüm şekilde eğer yapılan elde ilgili",
    "uk": "в і на не з що та до для від як при є це або його був між також може а у їх за про які",
}
"""The most frequent words of prose of each language that are written with spaces and share a script with another."""
_SPARSE = frozenset({"bg", "cs", "fi", "hr", "hu", "id", "pl", "ru", "tr", "uk"})
"""Languages whose frequent words are half as frequent, since endings say what other languages say by words."""
_FREQUENT = {language: frozenset(words.split()) for language, words in _WORDS.items()}
_LANGUAGES_OF = {
    word: tuple(language for language, words in _FREQUENT.items() if word in words)
    for word in sorted(frozenset().union(*_FREQUENT.values()))
}

_SCRIPTS = {  # of languages that are known by their letters; the value: how many letters are as much text as a word
    "ar": (re.compile("[\u0621-\u064a]"), 4.5),
    "el": (re.compile("[\u03ac-\u03ce]{4}"), 1.5),  # single letters are symbols
    "he": (re.compile("[\u05d0-\u05ea]"), 4.5),
    "hi": (re.compile("[\u0904-\u0939]"), 3.0),
    "ja": (re.compile("[\u3041-\u30ff]"), 1.2),
    "ko": (re.compile("[\uac00-\ud7a3]"), 3.0),
    "th": (re.compile("[\u0e01-\u0e3a]"), 4.5),
    "zh": (re.compile("[\u4e00-\u9fff]"), 1.8),
}
_PERSIAN = re.compile("[\u067e\u0686\u06a9\u06af\u06cc]")  # letters that Arabic lacks
_SAMPLE = 8_000  # characters that are looked at
_FEW = 40  # words; fewer do not tell
_MIN_SHARE = 0.05  # of the words that are frequent ones of the language


def find_language(paragraphs: Sequence[str]) -> str:
    """The ISO 639-1 code of the main language of the prose; "" if there is too little prose, or none is recognised.

    >>> find_language(["Les résultats de cette étude sont présentés dans la suite de cet article. "] * 9)
    'fr'
    """
    text = _sample(paragraphs).lower()
    words = text.split()
    if _is_foreign(text) and (language := _language_by_script(text, len(words))):
        return language
    if len(words) < _FEW:
        return ""
    hits: Counter[str] = Counter()
    for word, number in Counter(words).items():
        for language in _LANGUAGES_OF.get(word, ()):
            hits[language] += 2 * number if language in _SPARSE else number
    language, number = max(hits.items(), key=lambda hit: (hit[1], hit[0]), default=("", 0))
    return language if number >= _MIN_SHARE * len(words) else ""


def with_language(paper: Paper) -> Paper:
    """The paper with the language of its prose; where that is not recognised, with the one that its file states."""
    texts = [paragraph.text for section in paper.sections for paragraph in section.paragraphs]
    found = find_language(texts)
    return replace(paper, language=found) if found and found != paper.language else paper


def language_name(code: str) -> str:
    """Such as "German"; the code itself for a language that is not known."""
    return LANGUAGES.get(code, code)


def language_code(name: str) -> str | None:
    """The code of a language that a person names, in English or by its code; None for no language.

    >>> language_code(" german"), language_code("LA"), language_code("Klingon"), language_code("")
    ('de', 'la', None, '')
    """
    typed = name.strip().casefold()
    code = next((code for code, english in LANGUAGES.items() if english.casefold() == typed), typed)
    return code if _CODE.fullmatch(code) else None


def _sample(paragraphs: Sequence[str]) -> str:
    """Paragraphs from all of the paper, about as much text as is needed."""
    step = sum(map(len, paragraphs)) // _SAMPLE + 1
    return "\n".join(paragraphs[::step])[: 2 * _SAMPLE].replace(FORMULA, " ")


def _is_foreign(text: str) -> bool:
    """Whether a good part of the text may be in another script; quickly told."""
    return len(text.encode("ascii", "ignore")) < 0.9 * len(text)


def _language_by_script(text: str, words: int) -> str:
    """The language whose letters make up more of the text than words with spaces; "" if there is none."""
    written = {code: len(letter.findall(text)) / per_word for code, (letter, per_word) in _SCRIPTS.items()}
    language = max(written, key=lambda code: written[code])
    if written[language] < max(_FEW, words / 2):
        return ""
    if language == "zh" and written["ja"] > written["zh"] / 4:
        return "ja"
    return "fa" if language == "ar" and _PERSIAN.search(text) else language
