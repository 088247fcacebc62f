#!/bin/sh
# Runs pg_ctl with each line of its input. When the input ends, because the tests are done or were killed, it stops the
# server and removes its folder: nothing is left behind.
programs=$1
dir=$2
trap '' HUP INT TERM
while read -r words; do
  # shellcheck disable=SC2086 # a line is several words
  if "$programs/pg_ctl" -D "$dir/data" -l "$dir/log" -s -w $words </dev/null >/dev/null 2>&1; then
    echo done
  else
    echo failed
  fi
done
"$programs/pg_ctl" -D "$dir/data" -s -w -m immediate stop </dev/null >/dev/null 2>&1
rm -rf "$dir"
