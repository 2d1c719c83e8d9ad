"""How zsh is told what completes a word."""

from typing import ClassVar

from click.shell_completion import ZshComplete, add_completion_class


class Zsh(ZshComplete):
    """Zsh, which replaces a whole word, also where that is `--option=value`, and puts a blank behind it."""

    source_template: ClassVar[str] = """\
#compdef %(prog_name)s

%(complete_func)s() {
    local kind word says before
    local -a answer described open plain
    # What there is of an option and its value in one word before the value.
    [[ $words[CURRENT] != -*=* ]] || before=${words[CURRENT]%%%%=*}=
    answer=("${(@f)$(
        COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT - 1)) %(complete_var)s=zsh_complete %(prog_name)s
    )}")
    for kind word says in $answer; do
        case $kind in
            file) compset -P "$before"; _path_files -f ;;
            dir) compset -P "$before"; _path_files -/ ;;
            plain)
                if [[ $word == *= ]]; then
                    open+=("$before$word:$says")
                elif [[ $says == _ ]]; then
                    plain+=("$before$word")
                else
                    described+=("$before$word:$says")
                fi
                ;;
        esac
    done
    # -U: a word may be completed to one that begins otherwise, such as three-of to three_of_a_kind.
    (( ! $#described )) || _describe -V word described -U
    (( ! $#open )) || _describe -V word open -U -S ''
    (( ! $#plain )) || compadd -U -V word -a plain
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
"""


add_completion_class(Zsh)
