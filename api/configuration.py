"""Where settings come from: the command line, the environment, a file, or else the standard value, in this order."""

import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from api.setting_values import SettingError, read_file_name
from api.settings import SETTINGS, Setting, Settings

FILE_VARIABLE = "THIRTYONE_CONFIG"
"""The variable that names the file."""
VARIABLES = (FILE_VARIABLE, *(setting.variable for setting in SETTINGS.values()))
"""Every variable that is read."""
_OURS = "THIRTYONE_"
_SERVICE_LINK = re.compile(rf"{_OURS}(\w+_)?((SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_\w+)=.*|PORT=\w+://.*)")
"""What Kubernetes sets by itself where a Service is called `thirtyone`, or something that begins so."""
_WORDS = {str: "a string", int: "a whole number", bool: "true or false", list: "an array of strings"}
_NONE: Mapping[str, Any] = MappingProxyType({})


class Source(Struct, frozen=True):
    """Where a value comes from."""

    kind: Literal["option", "environment", "file", "standard"]
    name: str | UnsetType = UNSET
    """The option, the variable, or the key in the file."""

    def __str__(self) -> str:
        """Return the source in words."""
        if self.name is UNSET:
            return self.kind
        return f"`{self.name}` in the file" if self.kind == "file" else self.name


class Configuration(Struct, frozen=True):
    """The settings, and where each comes from."""

    settings: Settings
    sources: Mapping[str, Source]
    file: Path | None
    """The file that was read, if there is one."""


def configured(
    environment: Mapping[str, str], file: Path | None = None, options: Mapping[str, Any] = _NONE
) -> Configuration:
    """Return the configuration that is given: by the environment, by a file, and by options of the command line.

    `file` is the one that the command line names; otherwise the environment may. `options` has the values of settings
    by name; None stands for one that is not given. Raises SettingError, with a sentence, for whatever cannot be used.
    """
    _refuse_unknown(environment)
    if file is None and (named := environment.get(FILE_VARIABLE, "")).strip():
        file = Path(read_file_name(named, FILE_VARIABLE))
    in_file = _read(file) if file else {}
    values: dict[str, Any] = {}
    sources = dict.fromkeys(SETTINGS, Source("standard"))
    for name, setting in SETTINGS.items():
        if file and name in in_file:
            values[name] = _from_file(name, setting, in_file[name], file)
            sources[name] = Source("file", name)
        text = environment.get(setting.variable)
        if text is not None and (text.strip() or setting.blank_is_value):
            values[name] = setting.read(text, setting.variable)
            sources[name] = Source("environment", setting.variable)
        if options.get(name) is not None:
            values[name] = options[name]
            sources[name] = Source("option", f"--{name.replace('_', '-')}")
    return Configuration(Settings(**values), MappingProxyType(sources), file)


def _refuse_unknown(environment: Mapping[str, str]) -> None:
    """Raise SettingError for a variable that looks like a setting of ours and is none: a slip would do nothing."""
    known = {variable.removeprefix(_OURS): variable for variable in VARIABLES}
    for name, value in environment.items():
        if name.startswith(_OURS) and name not in VARIABLES and not _SERVICE_LINK.fullmatch(f"{name}={value}"):
            raise SettingError(f"{_shown(name)} is no setting{_meant(name.removeprefix(_OURS), known)}.")


def _read(file: Path) -> Mapping[str, Any]:
    """Return what a file holds, with no keys but those of settings."""
    try:
        with file.open("rb") as opened:
            found = tomllib.load(opened)
    except OSError as error:
        raise SettingError(f"The configuration file {file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise SettingError(f"The configuration file {file} is not written in UTF-8 (at line {line}).") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"The configuration file {file} is no TOML: {error}.") from None
    except (ValueError, RecursionError):  # a number of too many digits, or arrays too deep for the reader
        raise SettingError(f"The configuration file {file} is no TOML that can be read.") from None
    for key in found:
        if key not in SETTINGS:
            raise SettingError(
                f"`{_shown(key)}` in {file} is no setting{_meant(key, {name: f'`{name}`' for name in SETTINGS})}."
            )
    return found


def _from_file(name: str, setting: Setting, given: object, file: Path) -> object:
    where = f"`{name}` in {file}"
    is_right = type(given) is setting.written
    if isinstance(given, list):
        is_right = is_right and all(isinstance(each, str) for each in given)
    if not is_right:
        raise SettingError(f"{where} must be {_WORDS[setting.written]}.")
    value = setting.read(given, where)
    return str(file.parent / value) if setting.names_a_file else value


def _meant(name: str, known: Mapping[str, str]) -> str:
    """Return the end of a sentence about an unknown name: which of the known ones is like it, if one is."""
    close = get_close_matches(name, known, n=1)
    return f"; perhaps {known[close[0]]} is meant" if close else "; `thirtyone config --help` lists what there is"


def _shown(name: str) -> str:
    """Return a name that somebody chose as it may be shown in a sentence."""
    return name[:64] if name.isprintable() else repr(name[:64])
