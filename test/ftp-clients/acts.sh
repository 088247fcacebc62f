# Sourced by the programs of this folder: runs a command and tells what came of it, a line an act.
act() {
  name=$1
  shift
  if told=$("$@" 2>&1); then echo "$name: done"; else echo "$name: failed: $(echo "$told" | tail -n 3 | tr '\n' ' ')"; fi
}
same() { cmp -s "$1" "$2" || { echo "$1 is not $2"; return 1; }; }
