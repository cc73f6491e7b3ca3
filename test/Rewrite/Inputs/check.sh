# check.sh TEST PREFIX [FileCheck option...]; input on standard input. Checks whole
# lines; a C test has its checks in separate comments.
test=$1 prefix=$2
shift 2
[ "$1" = "*/" ] && shift
plain=$(mktemp) || exit 1
trap 'rm -f "$plain"' EXIT
# The same number of lines, for [[@LINE]].
case $test in
*.c) sed 's|^\( *\)/\* \([A-Z]*[:-].*\) \*/$|\1// \2|' "$test" >"$plain" ;;
*) cat "$test" >"$plain" ;;
esac
case $prefix in
TRACE) set -- --match-full-lines "--implicit-check-not={{.}}" ;;
CHECK) set -- --match-full-lines ;;
*)
  # All errors are expected, and refuse.py has no complaint.
  prefix=CHECK
  set -- "--implicit-check-not=error: " "--implicit-check-not=passthrough" \
    "--implicit-check-not=exit code" "--implicit-check-not=a file was" ;;
esac
FileCheck "$plain" --check-prefix="$prefix" "$@"
