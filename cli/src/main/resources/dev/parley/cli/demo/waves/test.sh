#!/bin/sh
# The gate: nothing whose name begins with "bad" may be here.
for file in bad*; do
  [ ! -e "$file" ] || { echo "$file must not be here"; exit 1; }
done
