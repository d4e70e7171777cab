r"""Trains the model that Pairwright comes with, on one graphics card: eleven minutes on an H200.

    python packaging/starter/train.py connectives WORK first --seed 1 --steps 8000
    python packaging/starter/train.py connectives WORK second --seed 2 --steps 7500 --rate 3e-4
    python packaging/starter/train.py relations WORK teacher1 --start first --seed 11
    ... five more of them: seeds 12 and 13 from first, 14 to 16 from second
    python packaging/starter/train.py distil WORK student1 --start teacher1 --seed 1 --rate 2e-4 --pairs 200000 \
        --others 250000 --teachers teacher1,...,teacher6
    python packaging/starter/train.py distil WORK student2 --start teacher1 --seed 2 \
        --teachers teacher1,...,teacher6,first,second

WORK holds what `read_papers.py` wrote; each stage writes its weights there.

connectives: the encoder's six layers learn which of some 140 connectives was taken away from between two texts, whether
two sentences stand in this order, the other one, or apart, and the distant labels.
relations: a teacher, from there: the distant labels alone, as many of each class.
distil: the first four layers of a teacher learn the mean of the teachers' probabilities, and labels where there are
(Hinton et al., 2015), also from neighbours without a label.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from finish import installed_encoder
from safetensors.torch import load_file, save_file
from token_pairs import Numbers, Sentences, TokenPairs, batches, join, read_encoded
from torch import nn
from torch.nn.functional import cross_entropy

from miner.classifier.bert import Bert, BertConfig
from miner.classifier.encoding import Batch
from miner.classifier.examples import LABELS
from miner.classifier.network import BothSentences

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
NO_LABEL = -100
IN_ORDER, APART, REVERSED = range(3)
CHUNK = 200_000  # pairs that are drawn at a time, for the connectives
# Of these: with an opener, without, strangers, reversed, clauses, mined.
SHARES = (0.30, 0.14, 0.14, 0.07, 0.12, 0.23)
WARMUP = 0.06


class Network(nn.Module):
    """The encoder with the head of `PairNetwork`, and further outputs of that head."""

    def __init__(self, layers: int, outputs: dict[str, int]) -> None:
        super().__init__()
        folder = installed_encoder()
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.encoder = Bert(BertConfig(**config | {"num_hidden_layers": layers}))
        self.head = BothSentences(config["hidden_size"], len(LABELS), 0.1)
        self.outputs = nn.ModuleDict({name: nn.Linear(config["hidden_size"], n) for name, n in outputs.items()})
        given = load_file(folder / "model.safetensors")
        self.encoder.load_state_dict({name: given[name].half().float() for name in self.encoder.state_dict()})
        for parameter in self.encoder.embeddings.parameters():
            parameter.requires_grad_(False)

    def features(self, batch: Batch) -> torch.Tensor:
        states = self.encoder(batch.tokens, batch.mask, batch.types).last_hidden_state
        dropped: torch.Tensor = self.head.dropout(self.head.features(states, batch.sentences))
        return dropped

    def forward(self, batch: Batch) -> torch.Tensor:
        logits: torch.Tensor = self.head.out(self.features(batch)).float()
        return logits


class Steps:
    """AdamW with a rate that rises, then falls to 0."""

    def __init__(self, network: Network, rate: float, head_factor: float) -> None:
        learned = [(name, one) for name, one in network.named_parameters() if one.requires_grad]
        self._parameters = [one for _, one in learned]
        groups = [
            {"params": [one for name, one in learned if name.startswith("encoder") is encoder], "lr": lr, "top": lr}
            for encoder, lr in ((True, rate), (False, rate * head_factor))
        ]
        self._optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=DEVICE == "cuda")

    def step(self, loss: torch.Tensor, done: float) -> None:
        for group in self._optimizer.param_groups:
            group["lr"] = group["top"] * min(done / WARMUP, (1 - done) / (1 - WARMUP))
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._parameters, 1.0)
        self._optimizer.step()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stage", choices=("connectives", "relations", "distil"))
    parser.add_argument("work", type=Path)
    parser.add_argument("name", help="of the weights that are made")
    parser.add_argument("--start", help="name of the weights to start from")
    parser.add_argument("--teachers", default="", help="names, with commas")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float)
    parser.add_argument("--steps", type=int, default=8_000, help="of the connectives, 256 pairs each")
    parser.add_argument("--pairs", type=int, help="labelled pairs to draw")
    parser.add_argument("--others", type=int, default=700_000, help="neighbours without labels to draw from")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    random = np.random.default_rng(options.seed)
    network = {"connectives": learn_connectives, "relations": learn_relations, "distil": distil}[options.stage](
        options, random
    )
    frozen = "encoder.embeddings."
    weights = {name: one.half().cpu() for name, one in network.state_dict().items() if not name.startswith(frozen)}
    save_file(weights, options.work / f"{options.name}.safetensors")


def learn_connectives(options: argparse.Namespace, random: np.random.Generator) -> Network:
    sentences = Sentences(options.work / "sentences.npz", DEVICE)
    mined, labels = read_encoded(options.work / "mined.npz", DEVICE)
    clauses, between = read_clauses(options.work / "clauses.npz")
    openers = int(sentences.connective.max()) + 1
    none = openers + int(between.max()) + 1
    opened = sentences.later[sentences.connective[sentences.later] >= 0]
    plain = sentences.later[sentences.connective[sentences.later] < 0]
    network = Network(6, {"connective": none + 1, "order": 3}).to(DEVICE)
    steps = Steps(network, options.rate or 4e-4, 3.0)
    counts = [int(share * CHUNK) for share in SHARES]
    done = 0
    while done < options.steps:
        with_opener = draw(opened, sentences.connective[opened], counts[0], 0.4, random)
        without = random.choice(plain, counts[1])
        apart, turned = (random.choice(sentences.later, count) for count in counts[2:4])
        of_clauses = draw(np.arange(len(clauses)), between, counts[4], 0.4, random)
        of_mined = draw(np.arange(len(mined)), labels, counts[5], 0.6, random)
        pairs = join(
            [
                sentences.neighbours(with_opener),
                sentences.neighbours(without),
                sentences.strangers(apart, random),
                sentences.reversed(turned),
                clauses.take(of_clauses),
                mined.take(of_mined),
            ]
        )
        removed = {0: sentences.connective[with_opener], 1: none, 4: openers + between[of_clauses]}
        connective = filled(pairs, counts, removed)
        order = filled(pairs, counts, {0: IN_ORDER, 1: IN_ORDER, 2: APART, 3: REVERSED})
        label = filled(pairs, counts, {5: labels[of_mined]})
        for rows in batches(random.permutation(len(pairs)), pairs.lengths, 256, random)[: options.steps - done]:
            with torch.autocast(DEVICE, dtype=torch.bfloat16):
                features = network.features(pairs.batch(rows))
                guesses = [network.outputs[name](features).float() for name in ("connective", "order")]
                relation = network.head.out(features).float()
            loss = mean_loss(guesses[0], connective[rows]) + 0.7 * mean_loss(guesses[1], order[rows])
            steps.step(loss + 1.5 * mean_loss(relation, label[rows], 0.05), done / options.steps)
            done += 1
    return network


def learn_relations(options: argparse.Namespace, random: np.random.Generator) -> Network:
    mined, labels = read_encoded(options.work / "mined.npz", DEVICE)
    network = load(options.work / f"{options.start}.safetensors", 6)
    steps = Steps(network, options.rate or 2e-4, 2.0)
    given = batches(balanced(labels, options.pairs or 150_000, random), mined.lengths, 128, random)
    for done, rows in enumerate(given):
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            logits = network(mined.batch(rows))
        steps.step(mean_loss(logits, torch.from_numpy(labels[rows]).to(DEVICE), 0.05), done / len(given))
    return network


def distil(options: argparse.Namespace, random: np.random.Generator) -> Network:
    mined, labels = read_encoded(options.work / "mined.npz", DEVICE)
    sentences = Sentences(options.work / "sentences.npz", DEVICE)
    rows = random.permutation(sentences.later)[: options.others]
    apart = random.permutation(sentences.later)[: options.others // 4]
    rows = np.concatenate([rows, rows[sentences.connective[rows] >= 0]])
    pairs = join([mined, sentences.neighbours(rows), sentences.strangers(apart, random)])
    taught = torch.zeros(len(pairs), len(LABELS), device=DEVICE)
    names = options.teachers.split(",")
    for name in names:
        taught += probabilities(load(options.work / f"{name}.safetensors", 6), pairs) / len(names)
    likeliest = taught.argmax(1).cpu().numpy()
    others = np.arange(len(mined), len(pairs))
    count = options.pairs or 450_000
    drawn = np.concatenate([balanced(labels, count, random), draw(others, likeliest[others], 2 * count, 0.5, random)])
    label = torch.full((len(pairs),), NO_LABEL, device=DEVICE)
    label[: len(mined)] = torch.from_numpy(labels).to(DEVICE)
    network = load(options.work / f"{options.start}.safetensors", 4)
    steps = Steps(network, options.rate or 2.5e-4, 2.0)
    mean = {name: value.clone() for name, value in network.state_dict().items()}
    given = batches(random.permutation(drawn), pairs.lengths, 256, random)
    for done, batch in enumerate(given):
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            logits = network(pairs.batch(batch))
        # A third of the pairs have labels.
        loss = 0.7 * cross_entropy(logits, taught[batch]) + 0.9 * mean_loss(logits, label[batch], 0.03)
        steps.step(loss, done / len(given))
        kept = min(0.998, (done + 1) / (done + 10))
        for name, value in network.state_dict().items():
            mean[name].lerp_(value, 1 - kept)
    network.load_state_dict(mean)
    return network


def read_clauses(path: Path) -> tuple[TokenPairs, Numbers]:
    data = np.load(path)
    first, second = data["first"].astype(np.int64), data["second"].astype(np.int64)
    start = np.cumsum(first + second) - first - second
    tokens = torch.from_numpy(data["tokens"].astype(np.int32)).to(DEVICE)
    return TokenPairs.of(tokens, start, first, start + first, second), data["connective"].astype(np.int64)


def draw(rows: Numbers, classes: Numbers, count: int, power: float, random: np.random.Generator) -> Numbers:
    """So many of the rows, with repetition; a class is drawn by its size to the power of 1 - `power`."""
    shares = np.bincount(classes)[classes] ** -power
    return random.choice(rows, count, p=shares / shares.sum())


def balanced(labels: Numbers, count: int, random: np.random.Generator) -> Numbers:
    """So many rows, as many of each class: all of a class before any again."""
    each = count // len(LABELS)
    drawn = []
    for label in range(len(LABELS)):
        rows = np.flatnonzero(labels == label)
        drawn += [np.concatenate([random.permutation(rows) for _ in range(-(-each // len(rows)))])[:each]]
    return random.permutation(np.concatenate(drawn))


def filled(pairs: TokenPairs, counts: list[int], values: dict[int, int | Numbers]) -> torch.Tensor:
    """The targets of pairs that were joined of so many each: the values of some sets, none of the others."""
    targets = np.full(len(pairs), NO_LABEL)
    ends = np.cumsum(counts)
    for part, value in values.items():
        targets[ends[part] - counts[part] : ends[part]] = value
    return torch.from_numpy(targets).to(DEVICE)


def mean_loss(logits: torch.Tensor, targets: torch.Tensor, smoothing: float = 0.0) -> torch.Tensor:
    """The mean over the batch, in which pairs without a target count as 0."""
    loss = cross_entropy(logits, targets, ignore_index=NO_LABEL, reduction="sum", label_smoothing=smoothing)
    return loss / len(targets)


def load(path: Path, layers: int) -> Network:
    """The weights but for further outputs, and layers beyond these."""
    network = Network(layers, {})
    own = network.state_dict()
    given = {name: value.float() for name, value in load_file(path).items() if name in own}
    network.load_state_dict(own | given)
    return network.to(DEVICE)


def probabilities(network: Network, pairs: TokenPairs, size: int = 1024) -> torch.Tensor:
    network.eval()
    found = torch.zeros(len(pairs), len(LABELS), device=DEVICE)
    order = np.argsort(pairs.lengths, kind="stable")
    with torch.inference_mode(), torch.autocast(DEVICE, dtype=torch.bfloat16):
        for start in range(0, len(order), size):
            rows = order[start : start + size]
            found[rows] = network(pairs.batch(rows)).softmax(-1)
    return found


if __name__ == "__main__":
    main()
