# Completion for fish: the bash completion that is installed with it does the work.
set -g __loopscope_bash (status dirname)/../../bash-completion/completions/loopscope
test -r $__loopscope_bash; or set -g __loopscope_bash /usr/share/bash-completion/completions/loopscope

function __loopscope_complete
    set -l words (commandline -opc) (commandline -ct)
    # Bash takes = for a word of its own.
    set -l split
    for word in $words
        set -l parts (string match -rg '^(--[^=]+)=(.*)$' -- $word)
        if set -q parts[1]
            set split $split $parts[1] = $parts[2]
        else
            set split $split $word
        end
    end
    set -l given (string match -rg '^(--[^=]+=)' -- $words[-1])
    set -l found (bash -c '. "$1"; shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _loopscope "$1"
        ((${#COMPREPLY[@]})) && printf "%s\n" "${COMPREPLY[@]}"' bash $__loopscope_bash $split 2>/dev/null)
    if set -q found[1]
        printf '%s\n' "$given"$found
    else
        __fish_complete_path (commandline -ct)
    end
end

for tool in loopscope loopscope-rewrite loopscope-launch
    complete -c $tool -f -a '(__loopscope_complete)'
end
