"""The declarations themselves: options, presets and the rulebook, each as the engine declares it."""

from typing import Literal

from api.constants import Constant, known
from api.operations import Operation, Parameter, PathParameter
from api.problems import NOT_FOUND
from api.routes import Strings, get
from api.views import (
    OptionList,
    OptionView,
    PresetList,
    PresetView,
    Rulebook,
    RuleView,
    option_views,
    preset_summary,
    preset_view,
    rule_view,
)
from engine.presets import PRESETS
from engine.rulebook import RULEBOOK
from schemas.sources import SOURCES

_VIEWS = option_views()
_OPTION_LIST = Constant(OptionList(_VIEWS, SOURCES))
_OPTIONS_OF = {
    form: {view.name: Constant(view) for view in _VIEWS if form in view.forms} for form in ("stock", "widow")
}
_OPTIONS = _OPTIONS_OF | {"any": _OPTIONS_OF["widow"] | _OPTIONS_OF["stock"]}
_PRESET_LIST = Constant(PresetList(tuple(preset_summary(preset) for preset in PRESETS)))
_PRESETS = {preset.id: Constant(preset_view(preset)) for preset in PRESETS}
_RULEBOOK = Constant(Rulebook(tuple(rule_view(rule) for rule in RULEBOOK), SOURCES))
_RULES = {rule.id: Constant(rule_view(rule)) for rule in RULEBOOK}
_FORM = Parameter("form", "Which form's declaration, where the two differ.", Literal["any", "stock", "widow"], "any")


@get(
    "/v1/options",
    Operation(
        id="listOptions",
        tag="Rules",
        summary="List the rule options",
        description="Every question on which tables differ, with all answers and who attests each.",
        schema=OptionList,
        answer="The options.",
    ),
)
def list_options(_path: Strings, _query: Strings) -> Constant:
    """Answer all options."""
    return _OPTION_LIST


@get(
    "/v1/options/{name:str}",
    Operation(
        id="showOption",
        tag="Rules",
        summary="Show one rule option",
        description="One question with its answers. An option that the two forms declare differently is "
        "shown as the stock form has it, unless `form` asks for the other.",
        schema=OptionView,
        answer="The option.",
        path=(PathParameter("name", "The option's name.", "knocker_tie"),),
        query=(_FORM,),
        problems=(NOT_FOUND,),
    ),
)
def show_option(path: Strings, query: Strings) -> Constant:
    """Answer one option."""
    return known(_OPTIONS[query["form"]], path["name"], "option")


@get(
    "/v1/presets",
    Operation(
        id="listPresets",
        tag="Rules",
        summary="List the presets",
        description="Every named rule set in brief.",
        schema=PresetList,
        answer="The presets.",
    ),
)
def list_presets(_path: Strings, _query: Strings) -> Constant:
    """Answer all presets."""
    return _PRESET_LIST


@get(
    "/v1/presets/{preset:str}",
    Operation(
        id="showPreset",
        tag="Rules",
        summary="Show one preset",
        description="The complete rules of a preset, which of its answers the source states and which are "
        "our reading, for how many players it is, and its sources.",
        schema=PresetView,
        answer="The preset.",
        path=(PathParameter("preset", "The preset's id.", "quick-knock"),),
        problems=(NOT_FOUND,),
    ),
)
def show_preset(path: Strings, _query: Strings) -> Constant:
    """Answer one preset."""
    return known(_PRESETS, path["preset"], "preset")


@get(
    "/v1/rulebook",
    Operation(
        id="listRules",
        tag="Rules",
        summary="List the rulebook",
        description="Every rule that a ruling or a game can cite, with the sentence that is filled in.",
        schema=Rulebook,
        answer="The rules.",
    ),
)
def list_rules(_path: Strings, _query: Strings) -> Constant:
    """Answer the rulebook."""
    return _RULEBOOK


@get(
    "/v1/rulebook/{rule:str}",
    Operation(
        id="showRule",
        tag="Rules",
        summary="Show one rule",
        description="One rule that a ruling or a game can cite.",
        schema=RuleView,
        answer="The rule.",
        path=(PathParameter("rule", "The rule's id.", "lose.knocker-tie"),),
        problems=(NOT_FOUND,),
    ),
)
def show_rule(path: Strings, _query: Strings) -> Constant:
    """Answer one rule."""
    return known(_RULES, path["rule"], "rule")
