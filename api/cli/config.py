"""`thirtyone config`: show every setting, its value, and where the value comes from."""

from pathlib import Path
from typing import Any

import click
import msgspec
from limits import RateLimitItem
from msgspec.structs import fields

from api.cli.configuration import config_option, configuration_of, insecure_option
from api.cli.saying import fail
from api.configuration import FILE_VARIABLE, Configuration
from api.keys import SCOPES, ApiKey
from api.setting_values import SettingError
from api.settings import SETTINGS, Settings, refuse_to_expose


class _ConfigCommand(click.Command):
    """A command whose help lists the settings."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's own signature
        """Write what there is to set."""
        standard = {field.name: in_words(shown(field.default)) for field in fields(Settings)}
        with formatter.section("Settings, in the environment and in the file"):
            formatter.write_dl(
                [
                    (f"{setting.variable}, {name}", f"{setting.about} [standard: {standard[name]}]")
                    for name, setting in SETTINGS.items()
                ]
            )


@click.command(cls=_ConfigCommand)
@config_option
@insecure_option
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def command(config: Path | None, *, insecure: bool | None, as_json: bool) -> None:
    """Show every setting, its value, and where it comes from.

    What an option says comes before the environment, which comes before the file, which comes before the standard
    value. Of keys, names and scopes are shown. The status is 2 if the service would not start like this.
    """
    found = configuration_of(config, status=2, insecure=insecure)
    click.echo(msgspec.json.encode(_as_json(found)) if as_json else _as_text(found))
    try:
        refuse_to_expose(found.settings)
    except SettingError as error:
        fail(str(error), 2)


def shown(value: object) -> Any:  # noqa: ANN401 - a value of JSON
    """Return the value of a setting as it may be shown to anybody, in JSON's types."""
    if isinstance(value, tuple):
        return [shown(each) for each in value]
    if isinstance(value, ApiKey):
        return {"name": value.name, "scopes": [scope for scope in SCOPES if scope in value.scopes]}
    if isinstance(value, RateLimitItem):
        unit = value.GRANULARITY.name
        return f"{value.amount}/{unit}" if value.multiples == 1 else f"{value.amount}/{value.multiples} {unit}s"
    # The name of a file may have bytes that are no UTF-8.
    return value.encode(errors="replace").decode() if isinstance(value, str) else value


def in_words(value: Any) -> str:  # noqa: ANN401 - a value of JSON
    """Return what `shown` returns as people read it."""
    if isinstance(value, list):
        return ", ".join(map(in_words, value)) or "none"
    if isinstance(value, dict):
        return f"{value['name']} ({'+'.join(value['scopes'])})"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _values(settings: Settings) -> dict[str, Any]:
    return {name: shown(getattr(settings, name)) for name in SETTINGS}


def _as_json(found: Configuration) -> object:
    settings = {name: {"value": value, "from": found.sources[name]} for name, value in _values(found.settings).items()}
    return {"file": found.file and shown(str(found.file)), "settings": settings}


def _as_text(found: Configuration) -> str:
    rows = [(name, in_words(value), str(found.sources[name])) for name, value in _values(found.settings).items()]
    names, values = (max(len(row[column]) for row in rows) for column in (0, 1))
    file = shown(str(found.file)) if found.file else f"none ({FILE_VARIABLE} and --config name one)"
    lines = [f"{name:{names}}  {value:{values}}  {source}" for name, value, source in rows]
    return "\n".join([f"Configuration file: {file}", "", *lines])
