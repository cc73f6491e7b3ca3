#!/bin/sh
# Builds the libraries of a test, plain and with hooks; each one links the runtime, as
# in a project that instruments several libraries.
#
#   plugins.sh OUT INCLUDE-FLAGS LINK-FLAGS COMPILER NAME...
#
# Makes OUT-NAME.plain.so and OUT-NAME.hooked.so, whose function is work_NAME and
# whose phase is NAME.
set -eu
out=$1 include=$2 lib=$3 compiler=$4
shift 4
inputs=$(dirname "$0")
for name in "$@"; do
  common="-shared -fPIC -g -O1 -I $inputs -DWORK=work_$name -DNAME=\"$name\" $inputs/plugin.c"
  # The flags are words, not one argument.
  # shellcheck disable=SC2086
  "$compiler" -DPLAIN $common -o "$out-$name.plain.so"
  # shellcheck disable=SC2086
  "$compiler" $include $common -o "$out-$name.hooked.so" $lib
done
