"""Where sentences end: a table of cases, a bar between the sentences."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.parsing.sentences import SentenceSplitter, SplitterParameters, split_paper
from miner.records import Paper, Paragraph, Section, SectionKind, Sentence

CASES = {
    "plain": "Mice were fed daily. | They gained weight. | Why? | Nobody knows! | We do not.",
    "white space": "One sentence stands here. |   Another one\n follows it. | \t A third ends without a stop",
    "et al.": "This was shown by Smith et al. (2001) and by Jones et al. [4] later. | Lee et al. Nature 12 has more.",
    "et al. at the end": "We use the method of Chen et al. | However, it is slow.",
    "et al. with a citation at the end": "We follow Towbin et al. [38]. | Peroxidase was bound to it.",
    "figures and equations": "See Fig. 3 and Figs. S1 and S2. | By Eq. (3) and Eqs. 4 and 5, it holds.",
    "sections and references": "So does Sec. II of Ref. 7. | It is in App. B.1.",
    "a figure at the end": "They are shown in Figure 1. | We count them in Table 2. | However, few remain.",
    "section signs": "This is proved in Sect. § 4.2 of the text. | § 5 has the rest.",
    "numbers": "Clone No. 5 and GB No. AC0795 were used. | The answer is no. | We asked again.",
    "Latin": "Many taxa, e.g. Homo or Pan, occur, i.e. Primates. | Compare A vs. B, cf. Darwin, in approx. 5 cases.",
    "etc.": "We saw rats, mice, etc. and more. | We kept rats, mice, etc. | Therefore it was loud.",
    "decimals": "It rose by 3.5 % from .05 to 1.25 (p < .05). | The rest was 0. 5 or 0 . 7 at most.",
    "glued numbers": "We used mouse No.5 White and Fig.3 Panel B. | It ran.",
    "chemical symbols": "It was rich in Ca. | However, no Si was found in ca. 5 of them.",
    "an abbreviation before an opener": "It is drawn in S4 Fig. | All of it is. | Ref. Smith has more.",
    "unbalanced bracket": "It rose, see Fig. S3). | Thus, we stopped.",
    "footnote after a bracket": "We use the known way (Kuhn, 1955).1 | On the other hand, it is old.",
    "panels of a figure": "Cells at 60 × magnification. | b. Levels of ATP in cells. | c: Controls of all.",
    "highlights": "The flow is slow. | ► It is seen at night.",
    "units": "Samples were spun for 10 min. | They were heated to 95 °C. | After 24 h. | Then at 4°C. | Cells grew.",
    "initials": "We thank J. R. R. Tolkien and P. Burgoyne for help. | A. B. Smith wrote it.",
    "letters at the end": "It lacks vitamin C. | However, it is sweet.",
    "symbols at the end": "All depends on n. | The rest is given in Appendix B. | We stop.",
    "capitals are no abbreviations": "The precursor is APP. | Tau is another. | This was measured by MED. | It worked.",
    "species": "The bacterium E. coli grew. | Fusarium spp. were found with Bacillus sp. in var. japonica.",
    "glued superscripts": "Hands were washed in care.3 | However, few wore masks.4,5 | We did.",
    "citation after the stop": "This was shown. [12] | However, it failed.[3] | Thus we stopped. [4,5]. | The end.",
    "citation with letters": "It melts on heating.[3c,4] | The rest stays.[1a,b,7] | Thus we stopped. [2a–c] | We did.",
    "citation placeholder": "This has been proved.[CITE], [CITE] | However, see Sec. REF and Eq. REF for more.",
    "citation that is a subject": "The data are old. | [70] compresses them.",
    "citation at the very end": "This was shown before. [12]",
    "quotations": "He said “it works.” | She said \"it does not.\" | 'Neither.' | “So be it!” they said.",
    "brackets": "It rained (see above). | (It always does.) | We left [as planned].",
    "question in brackets": "It stopped (why?) and we came back.",
    "abbreviation in brackets": "It was bought (Sigma Inc.) and used (data not shown, approx. 5 g). | It broke.",
    "enumerations": "1. The first comes here. | 2. The second follows. | (a) Left side of it. | (b) Right side of it.",
    "enumeration inside": "We claim: 1). It is new; 2). Molecular tools exist. | That is all.",
    "letters inside": "The criteria were: a. Studies of nets; b. Studies of boats. | They hold for n. | Few do.",
    "degrees and titles": "Dr. Müller has a Ph.D. in biology. | Prof. Lee has none. | We met Mr. Wu.",
    "versus": "It is Roe v. Wade here. | It depends on v. | Speed is v. | The rest follows.",
    "pronouns": "He was in Washington, D.C. | He left for the U.S. | I did too. | We follow J. He et al. too.",
    "titles": "Then came Gen. Lee and Sen. Cox. | It was in Gen. 5 of them. | It had the 1st gen. | The end.",
    "countries": "He left the U.S. in May. | He was in the U.S. | We met at the U.S. Department of Trade.",
    "genes": "The gel ran overnight. | p53 was lost. | mRNA was kept. | β-catenin was high. | iPSC lines grew.",
    "lower case goes on": "It grew in fut. work and cat. no. 5 of vol. 7 to approx. nothing.",
    "ellipsis": "It went on and on ... and stopped. | We waited... | However, it did not start.",
    "ellipsis in a list": "From 1, 2, ... N we choose.",
    "urls": "Read www.example.org/a.html or mail a.b@example.org. | Version 2.0.1 is at https://example.org. | Get it.",
    "mixed stops": "Really?! | Yes!! | Are you sure? no one is.",
    "stop with a space before": "We used version 2 . | It was fast .",
    "lost spaces": "We looked at mass balance.|However, it failed (see above).|The rest worked.",
    "lost spaces after notes": "It was slow.[14]|Thus, we left.4|In spring, it had high parameter-efficiency.|We ran.",
    "no lost spaces": "Use Node.js and foo.Bar here. | Take EDTA.2Na, and self-made.Lua for it.",
    "months": "It began on 5 Jan. 2020 and ended on 7 Dec. 2021. | We left in Sept. 2022.",
    "short unknown abbreviation": "We took Fr. 3 from cluster Mm. 39099 here. | It was pure.",
    "footnote marks": "Values are means. | *Different from zero. | § Not measured.",
    "full width": "我们测量了它。| 结果很好！| 为什么？| 不知道。",
    "symbols go on": "It was 5.2 ± 0.3 vs. ± 0.4 and approx. = 7.",
    "author and year": "It was reported. (Smith, 2010) | However, it was [Lee et al., 2011a; Wu 2012]. (see also "
    "Kim, 2013, p. 5). | Thus we stopped. [Kim et al., 2014b] | We left. [BCE+21] | All is lost. (Lee, 2015)",
    "cross-reference after the stop": "It rose at night. (Fig. 3) | However, it fell. (see Table S2). | It stopped.",
    "brackets with a stop": "It rose. | (Smith saw it in 2010.) | However, it fell. | (See Fig. 3 for more.)",
    "labels in brackets": "It is seen. | (A) We saw it. | (iv) They did. | (Left) The old one. | (12) The new one.",
    "citation with a place in it": "This was proved. [12, Theorem 3] | Thus it holds.",
    "note marks": "This is known.* | However, it failed.† | We stopped.‡§ | They said “it works.”* | All left.*",
    "no note mark": "We took Cat.# L9507 for it.",
    "note numbers after closers": "It is “so.”1 | However, it is “it”.3,4 | It is [gone].5 | It fell by 5%.6 | We did.",
    "note numbers with spaces": "They left.7, 8 | Hence it was theirs.9) | However, it is not (see above.)10 | We did.",
    "no note numbers": "It rose to 3.5 Tesla (see Appendix.4) The rest of it fell by 2.5 Volts and ran at No.5 Street.",
    "end of a proof": "This proves the claim. □ | However, it does so late.□ | We set x = 1. ∎ | The rest holds. □",
    "abbreviations before a number": "It was 5 (std. dev. 1) at most, with a dev. of 2 and std. 3. | It fell.",
    "inside brackets": "It was run in R (Foundation for R. Vienna, Austria) and in C (see Figure. 2). | It was fast.",
    "open bracket": "It is run in R (see Figure 2. | However, it was (as we saw) slow.",
    "steps": "Step 1. Read the data. | Step 2. Write it. | Theorem 2.1. Let it be even. | It is in Step 3. | We stop.",
    "a symbol like a title": "It has learnt from Dr. | The model is known. | We met Dr. Smith and Mr. Bee there.",
    "citations with spaces": "It modulates them.[ 23, 24 ] | For example, it binds. [ 3c ] | We saw it.",
    "marks before the stop": "This is hard16, 17). | Hence, it failed3). | Thus we stopped.16,17) | However, we did.",
    "no stop before the citation": "This was known [2] | Thus, it failed. | It was new (Lee, 2010) | However, it ran.",
    "citations in a sentence": "It is known from [2] The Cell and by Lee (2010) However-type theorems.",
    "lists in a sentence": "We do this: (1) We read. | (2) We write. | It has parts: (1). A new one; (2). An old one.",
    "formula placeholder": "We minimise it w.r.t. [FORMULA] and i.i.d. samples. | [FORMULA] is convex.",
}


@pytest.fixture(scope="module")
def splitter() -> SentenceSplitter:
    return SentenceSplitter.bundled()


def sentences(splitter: SentenceSplitter, text: str) -> list[str]:
    return [text[start:end] for start, end in splitter.split(text)]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_sentences_end_where_the_bars_are(splitter: SentenceSplitter, case: str) -> None:
    expected = [part.strip() for part in case.split("|")]
    assert sentences(splitter, case.replace("| ", "").replace("|", "")) == expected


def test_spans_leave_out_white_space_only(splitter: SentenceSplitter) -> None:
    assert splitter.split("  It ends. \n It does. ") == [Sentence(2, 10), Sentence(13, 21)]
    assert splitter.split(" \n ") == []
    assert splitter.split("") == []


STOPS = [
    ".",
    ". ",
    ".* ",
    ". □ ",
    ".12) ",
    "[2] ",
    "(Lee, 2010) ",
    "? ",
    "! ",
    "...",
    "…",
    "。",
    "al. ",
    "e.g. ",
    "Fig. ",
    "No. ",
    "U.S. ",
    "1. ",
    "; 2)",
    "0",
]
OTHERS = [
    " ",
    "\n",
    "\u00a0",
    "(",
    ")",
    "[12]",
    "[",
    "]",
    "”",
    "“",
    "'",
    "However, ",
    "The ",
    "A",
    "b",
    "p53 ",
    "§",
    "*",
]
PIECES = st.sampled_from(STOPS + OTHERS)


@given(st.text() | st.lists(PIECES, max_size=40).map("".join))
def test_sentences_hold_all_but_white_space_once_and_in_order(text: str) -> None:
    found = SentenceSplitter.bundled().split(text)
    before = 0
    for start, end in found:
        assert not text[before:start].strip()
        assert text[start:end].strip() == text[start:end] != ""
        before = end
    assert not text[before:].strip()


@pytest.mark.parametrize(
    "piece",
    [".", ". ", "a.\nb.", "; 1). ", "[1,", "a. [1] ", "“(", "Fig. ", "。", ".\t", "\n", ". (Lee ", "(a. ", ". [1,1"],
)
def test_hostile_text_takes_no_longer_than_its_length_asks(splitter: SentenceSplitter, piece: str) -> None:
    text = piece * (200_000 // len(piece))
    assert "".join("".join(sentences(splitter, text)).split()) == "".join(text.split())


def test_a_split_paper_differs_in_its_sentences_only(splitter: SentenceSplitter) -> None:
    abstract = Section("Abstract", (Paragraph("One is here. Two is there."),), SectionKind.ABSTRACT)
    body = Section("Results", (Paragraph("Three."), Paragraph("", after_break=True)))
    paper = Paper(md5="0" * 32, sha256="0" * 64, title="T", sections=(abstract, body))
    split = split_paper(paper, splitter)
    spans = [[p.sentences for p in section.paragraphs] for section in split.sections]
    assert spans == [[((0, 12), (13, 26))], [((0, 6),), ()]]
    assert split.sections[0].kind is SectionKind.ABSTRACT
    assert split.sections[1].paragraphs[1].after_break
    assert split.title == "T"


def test_parameters_survive_files_and_process_borders() -> None:
    parameters = SplitterParameters.bundled()
    assert SplitterParameters.from_data(parameters.to_data()) == parameters
    assert pickle.loads(pickle.dumps(parameters)) == parameters
    assert SplitterParameters.from_data(parameters.to_data()).file_text() == parameters.file_text()


def test_the_digest_names_the_words_and_not_how_they_were_made() -> None:
    one = SplitterParameters(frozenset({"fut", "cat"}), frozenset({"we"}), "here")
    assert one.digest == SplitterParameters(frozenset({"cat", "fut"}), frozenset({"we"}), "there").digest
    assert one.digest != SplitterParameters(frozenset({"cat"}), frozenset({"we"}), "here").digest
