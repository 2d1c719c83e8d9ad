"""How fish is told what completes a word."""

from typing import ClassVar

from click.shell_completion import FishComplete, add_completion_class


class Fish(FishComplete):
    """Fish, which replaces a whole word, also where that is `--option=value`."""

    source_template: ClassVar[str] = """\
function %(complete_func)s
    set -l word (commandline -ct | string collect)
    # What there is of an option and its value in one word before the value.
    set -l before (string match -r -- '^-[^=]*=' "$word")
    for line in (env %(complete_var)s=fish_complete COMP_WORDS=(commandline -cp | string collect) \\
            COMP_CWORD="$word" %(prog_name)s)
        # The word and what it means, behind a tab; there may be commas in that.
        set -l found (string split -m 1 , -- $line)
        switch $found[1]
            case plain
                echo "$before$found[2]"
            case file
                for path in (__fish_complete_path $found[2])
                    echo "$before$path"
                end
            case dir
                for path in (__fish_complete_directories $found[2])
                    echo "$before$path"
                end
        end
    end
end

complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s)"
"""


add_completion_class(Fish)
