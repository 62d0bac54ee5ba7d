#!/bin/sh
# The tests: each part has one.
for test in *.test; do
  [ ! -e "$test" ] || grep -q "^expect " "$test" || { echo "$test expects nothing"; exit 1; }
done
echo "$(ls *.test 2>/dev/null | wc -l) passed"
