"""In which language papers are written."""

import pytest

from miner.parsing.language import find_language, with_language
from miner.records import Paper, Paragraph, Section

_ENGLISH = (
    "The reeds were cut in the autumn and dried for three weeks. We weighed them before and after drying, and found "
    "that the loss was greater in the plants from the shore than in those from the inner lake. This is in agreement "
    "with what is known of their water content, which has been measured by others in the same region."
)
_TEXTS = {
    "en": _ENGLISH,
    "de": "Die Halme wurden im Herbst geschnitten und drei Wochen lang getrocknet. Wir haben sie vor und nach dem "
    "Trocknen gewogen und festgestellt, dass der Verlust bei den Pflanzen vom Ufer größer war als bei denen aus dem "
    "Inneren des Sees. Das stimmt mit dem überein, was über ihren Wassergehalt bekannt ist.",
    "fr": "Les tiges ont été coupées en automne et séchées pendant trois semaines. Nous les avons pesées avant et "
    "après le séchage, et la perte était plus grande pour les plantes de la rive que pour celles du lac intérieur. "
    "Cela correspond à ce que l’on sait de leur teneur en eau dans cette région.",
    "es": "Los tallos se cortaron en otoño y se secaron durante tres semanas. Los pesamos antes y después del secado, "
    "y la pérdida fue mayor en las plantas de la orilla que en las del interior del lago. Esto concuerda con lo que se "
    "sabe sobre su contenido de agua en la misma región.",
    "pt": "Os caules foram cortados no outono e secos durante três semanas. Nós os pesamos antes e depois da secagem, "
    "e a perda foi maior nas plantas da margem do que nas do interior do lago. Isso concorda com o que se sabe sobre o "
    "seu teor de água na mesma região, e não é uma surpresa.",
    "it": "Gli steli sono stati tagliati in autunno e fatti seccare per tre settimane. Li abbiamo pesati prima e dopo "
    "l’essiccazione, e la perdita era maggiore nelle piante della riva che in quelle del lago interno. Questo è in "
    "accordo con ciò che si sa del loro contenuto di acqua nella stessa regione.",
    "nl": "De stengels zijn in de herfst gesneden en drie weken lang gedroogd. Wij hebben ze voor en na het drogen "
    "gewogen, en het verlies was groter bij de planten van de oever dan bij die uit het binnenste van het meer. Dit "
    "komt overeen met wat er over hun watergehalte bekend is.",
    "pl": "Łodygi ścięto jesienią i suszono przez trzy tygodnie. Zważyliśmy je przed i po suszeniu, a strata była "
    "większa w przypadku roślin z brzegu niż tych z wnętrza jeziora. Jest to zgodne z tym, co wiadomo o zawartości "
    "wody w roślinach z tego regionu, która nie zależy od pory roku.",
    "ru": "Стебли были срезаны осенью и сушились в течение трёх недель. Мы взвесили их до и после сушки, и потеря была "
    "больше у растений с берега, чем у тех, что росли в глубине озера. Это согласуется с тем, что известно о "
    "содержании в них воды, и не зависит от времени года.",
    "ja": "葦は秋に刈り取られ、三週間乾燥させた。乾燥の前後に重さを量ったところ、岸辺の植物の方が湖の内側のものより"
    "も減少が大きかった。これはこの地域における水分量について知られていることと一致している。",
    "zh": "芦苇在秋天被割下并干燥了三个星期。我们在干燥前后称量了它们的重量，发现岸边植物的损失大于湖内植物的损失。"
    "这与该地区已知的植物含水量的结果一致，并且与季节没有关系，因此我们认为测量是可靠的，可以用于以后的研究之中。"
    "芦苇在秋天被割下并干燥了三个星期。",
}


@pytest.mark.parametrize("language", sorted(_TEXTS))
def test_prose_tells_its_language(language: str) -> None:
    assert find_language([_TEXTS[language]] * 2) == language
    assert find_language([_ENGLISH, *[_TEXTS[language]] * 3]) == language, "an abstract in English does not mislead"
    assert find_language([_TEXTS[language], *[_ENGLISH] * 3]) == "en", "nor does one in another language"


def test_too_little_or_unknown_prose_has_no_language() -> None:
    assert find_language([]) == find_language(["The reeds were cut."]) == find_language(["qix vorru kalomi"] * 40) == ""


def test_names_and_formulas_leave_english_english() -> None:
    genes = "Of BRCA1, TP53 and MLH1 in S. de la Cruz et al., Río de la Plata, [formula] = [formula] α β γ δ is shown "
    assert find_language([f"{genes} and the x ∈ ℝ of f(x) are as in Eq. (3). {_ENGLISH}"] * 3) == "en"


def test_what_the_text_shows_outweighs_what_its_file_states() -> None:
    def paper(stated: str, text: str) -> Paper:
        return Paper("0" * 32, "0" * 64, language=stated, sections=(Section("", (Paragraph(text),)),))

    assert with_language(paper("en", _TEXTS["fr"])).language == "fr"
    assert with_language(paper("sw", "Matete.")).language == "sw"
