# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc completion bash|zsh`: a script that lets a shell complete commands, options and known values."""
from __future__ import annotations

from . import tree
from ..registry import Command

BASH = """# Completion of ./rcc for bash: source <(./rcc completion bash)
_rcc() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" path="" option="" words="" i
    if [ "$word" = "=" ]; then word=""; option="${{COMP_WORDS[COMP_CWORD-1]}}"
    elif [ "${{COMP_WORDS[COMP_CWORD-1]}}" = "=" ]; then option="${{COMP_WORDS[COMP_CWORD-2]}}"; fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$path ${{COMP_WORDS[i]}}" in
{paths}) path="$path ${{COMP_WORDS[i]}}" ;;
        esac
    done
    if [ -n "$option" ]; then
        case "$path $option" in
{values}
        esac
        case "$word" in *,*) words="${{word%,*}},${{words// / ${{word%,*}},}}" ;; esac
    else
        case "$path" in
{words}
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    [ "${{#COMPREPLY[@]}}" -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "$word")
    case "${{COMPREPLY[0]-}}" in *=) compopt -o nospace ;; esac
}}
complete -F _rcc rcc ./rcc
"""


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def bash() -> str:
    """Cases of the words that lead to a command, of the words that may follow it, and of the values of its options."""
    leaves = tree.leaves()
    paths, words, values = [], [], []
    for leaf in leaves:
        path = "".join(" " + word for word in leaf.words)
        if leaf.words:
            paths.append(quoted(path))
        below = [other.words[-1] for other in leaves if other.words[:-1] == leaf.words and len(other.words) == len(leaf.words) + 1]
        options = [name + ("=" if tree.takes_value(action) else "") for action in leaf.options for name in action.option_strings
                   if name.startswith("--")]
        known = [value for action in leaf.places for value in tree.values(action)]
        words.append(f"        {quoted(path)}) words={quoted(' '.join(below + known + options))} ;;")
        for action in leaf.options:
            if tree.values(action):
                for name in action.option_strings:
                    values.append(f"        {quoted(path + ' ' + name)}) words={quoted(' '.join(tree.values(action)))} ;;")
    return BASH.format(paths="        " + " | \\\n        ".join(paths), words="\n".join(words), values="\n".join(values))


def zsh() -> str:
    """zsh runs bash's completion."""
    return "# Completion of ./rcc for zsh: source <(./rcc completion zsh)\nautoload -U +X bashcompinit && bashcompinit\n" + \
        bash().replace("mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")",
                       "COMPREPLY=(${(f)\"$(compgen -W \"$words\" -- \"$word\")\"})").replace(
            "mapfile -t COMPREPLY < <(compgen -f -- \"$word\")", "COMPREPLY=(${(f)\"$(compgen -f -- \"$word\")\"})").replace(
            "    case \"${COMPREPLY[0]-}\" in *=) compopt -o nospace ;; esac\n", "").replace(
            'source <(./rcc completion bash)', 'the cases are those of bash', 1)


def add_arguments(parser) -> None:
    parser.add_argument("shell", choices=["bash", "zsh"], help="whose completion")


def command(args) -> int:
    print(bash() if args.shell == "bash" else zsh(), end="")
    return 0


COMMAND = Command(
    description="Print a script that lets a shell complete commands, options and known values.",
    examples=[("./rcc completion bash > rcc.bash", "then: source rcc.bash"), ("./rcc completion zsh > rcc.zsh", "for zsh")],
    add_arguments=add_arguments,
    run=command)
