# Ends the process groups of a Computer that could not do it itself, as guardian.js does, in a twentieth of its memory.
# The Computer holds the other end of our standard input and names its groups on it, one per line: `+123` when one
# starts, `-123` when one is gone. The end of input means that the Computer is gone, by whatever death.

# Only the end of input counts: the guardian outlives what ends its Computer.
trap '' INT TERM HUP

# Each with a space on both sides.
groups=' '
while read -r line; do
  group=${line#?}
  case $group in
    '' | 0* | 1 | *[!0-9]*) continue ;;
  esac
  case $line in
    +*) groups="$groups$group " ;;
    -*) case $groups in
      *" $group "*) groups="${groups%%" $group "*} ${groups#*" $group "}" ;;
    esac ;;
  esac
done

signal_all() {
  for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null; done
}

is_any_alive() {
  for group in $groups; do kill -s 0 -- "-$group" 2>/dev/null && return 0; done
  return 1
}

signal_all TERM
# 2 s in steps of 50 ms; a system whose `sleep` takes whole seconds waits a little longer.
step=0
while is_any_alive; do
  if [ "$step" -ge 40 ]; then
    signal_all KILL
    break
  fi
  sleep 0.05 2>/dev/null || { sleep 1; step=$((step + 19)); }
  step=$((step + 1))
done
