# Sourced by the programs of this folder: runs a command and prints its result, one line per command.
act() {
  name=$1
  shift
  if output=$("$@" 2>&1); then echo "$name: done"; else echo "$name: failed: $(echo "$output" | tail -n 3 | tr '\n' ' ')"; fi
}
same() { cmp -s "$1" "$2" || { echo "$1 is not $2"; return 1; }; }
