"""Fuzz the targets one after the other: `python -m tests.fuzz [--seconds N] [TARGET...]`.

It ends with 1 if anything was found. `python -m tests.fuzz --replay FILE TARGET` runs one input again.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

from tests.fuzz.targets import SEEDS, TARGETS

ROOT = Path(__file__).parents[2]
WORK = ROOT / ".fuzz"
_LONGEST = 60_000
_SECONDS_FOR_ONE = 150
_MEGABYTES = 2048


def main() -> None:
    """Do what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz the service and the engine.")
    parser.add_argument("--seconds", type=int, default=60, help="how long each target is fuzzed")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="run one input again, and nothing else")
    parser.add_argument("targets", nargs="*", help=f"any of: {', '.join(TARGETS)}")
    arguments = parser.parse_args()
    names = arguments.targets or list(TARGETS)
    if unknown := set(names) - set(TARGETS):
        parser.error(f"no such target: {', '.join(sorted(unknown))}")
    if arguments.replay:
        with TARGETS[names[0]].open() as check:
            check(arguments.replay.read_bytes())
        return
    found = [name for name in names if not fuzz(name, arguments.seconds)]
    sys.exit(bool(found))


def fuzz(name: str, seconds: int) -> bool:
    """Fuzz one target; print what came of it, and return whether nothing was found."""
    corpus, finds = WORK / name / "corpus", WORK / name / "found"
    for folder in (corpus, finds):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(finds.iterdir())
    command = [
        *(sys.executable, "-m", "tests.fuzz.feeding", name),
        *(f"-max_total_time={seconds}", f"-max_len={_LONGEST}", f"-timeout={_SECONDS_FOR_ONE}"),
        *(f"-rss_limit_mb={_MEGABYTES}", "-print_final_stats=1", "-len_control=0", f"-artifact_prefix={finds}/"),
        *(str(corpus), str(SEEDS / name)),
    ]
    done = subprocess.run(  # noqa: S603 - this Python, and a module of this project
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    said = done.stdout.decode(errors="replace")
    (WORK / name / "log").write_text(said, encoding="utf-8")
    edges = re.findall(r"cov: (\d+)", said)
    executions = re.findall(r"stat::number_of_executed_units: (\d+)", said) or re.findall(
        r"^#(\d+)\s", said, re.MULTILINE
    )
    _say(f"{name}: {executions[-1] if executions else 0} executions, {edges[-1] if edges else 0} edges")
    if not done.returncode:
        return True
    new = sorted(set(finds.iterdir()) - before)
    _say("\n".join([line for line in said.splitlines() if not line.startswith("INFO: Instrumenting")][-60:]))
    for file in new:
        seed = SEEDS / name / file.name
        _say(f"Found: {file}\nRun it again: python -m tests.fuzz --replay {file} {name}")
        _say(f"Once it is understood, keep it as a test: cp {file} {seed}")
    return False


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - it reports on standard output


if __name__ == "__main__":
    main()
