#!/bin/sh
# Compiles for another processor, and makes what was linked a script that runs
# the program under qemu, so that tests can start it as any other.
#
# usage: sh emulated.sh QEMU COMPILER ARGUMENT...
set -eu
qemu=$1
shift
"$@"
output=a.out last=
for word; do
  case $word in
  -c | -S | -E | -M | -MM | -shared | -fsyntax-only | -###) exit 0 ;;
  esac
  [ "$last" != -o ] || output=$word
  last=$word
done
case $output in
/*) ;;
*) output=$PWD/$output ;;
esac
[ -x "$output" ] || exit 0
mv "$output" "$output.emulated"
printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$qemu" "$output.emulated" >"$output"
chmod +x "$output"
