# Completion for bash: loopscope, loopscope-rewrite and loopscope-launch. Options,
# values and subcommands come from the tools' own --help, so they are always those
# of the version that runs.

# The options in the help text on standard input.
_loopscope_options() {
  grep -oE -- '^ +(-[a-z],)?--?[a-z][a-z-]*=?' | tr ', ' '\n\n' | grep . | sort -u
}

# What OPTION takes, by the help text on standard input: "a, b or c" behind a colon, or
# "OPTION=a|b".
_loopscope_values() {
  local line
  # Examples may stand above the options.
  line=$(grep -E -m1 -- "^ *(\[|-[a-z],)?$1[ =]") || return
  if [[ $line == *"$1="*"|"* ]]; then
    line=${line#*"$1="}
    tr '|' '\n' <<<"${line%%[] ]*}" | tr -d '<>'
  elif [[ $line == *": "*" or "* ]]; then
    tr ', ' '\n\n' <<<"${line##*: }" | grep -vx or
  fi
}

_loopscope() {
  local tool=$1 current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local help words command index
  local assigned=
  COMPREPLY=()
  # Bash takes = for a word of its own.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  [[ ${COMP_WORDS[COMP_CWORD]} == = || ${COMP_WORDS[COMP_CWORD-1]} == = ]] && assigned=1
  case ${tool##*/} in
  loopscope)
    for ((index = 1; index < COMP_CWORD; ++index)); do
      [[ ${COMP_WORDS[index]} == -* ]] || { command=${COMP_WORDS[index]}; break; }
    done
    help=$("$tool" $command --help 2>/dev/null) || return
    if [[ -z $command && $current != -* ]]; then
      words=$(sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$help")
    fi
    ;;
  loopscope-launch)
    help=$("$tool" --help 2>/dev/null) || return
    for ((index = 1; index < COMP_CWORD; ++index)); do
      # A compiler's own arguments are files to us.
      [[ ${COMP_WORDS[index]} == [-=]* || ${COMP_WORDS[index-1]} == = ]] || return
    done
    [[ $current == -* || -n $assigned ]] || words=$(compgen -c -- "$current")
    ;;
  *)
    help=$("$tool" --help 2>/dev/null) || return
    [[ " ${COMP_WORDS[*]} " == *" --explain "* && $current != -* ]] &&
      words="all $("$tool" --explain | cut -d ' ' -f 1)"
    ;;
  esac
  [[ $previous == --on-error ]] && words="fail passthrough"
  if [[ -z $words && $current == -* ]]; then
    words=$(_loopscope_options <<<"$help")
  elif [[ -z $words && $previous == -* ]]; then
    words=$(_loopscope_values "$previous" <<<"$help")
  fi
  [[ -n $words ]] && COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}

complete -o default -F _loopscope loopscope loopscope-rewrite loopscope-launch
