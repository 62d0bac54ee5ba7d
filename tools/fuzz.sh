#!/usr/bin/env bash
# Lets Jazzer look for inputs that break what reads a bus folder: every @FuzzTest, one after the other, for
# as long as it says (ten minutes). Usage: tools/fuzz.sh [module ...]. Needs JAVA_HOME, as ./check sets it.
# New findings are left in src/test/resources of their module, where every build replays them.
set -u
cd "$(dirname "$0")/.." || exit 1
[ $# -gt 0 ] || set -- core file-log
status=0
for module; do
  for file in $(grep -rl '@FuzzTest' "$module/src/test/java" | sort); do
    class=$(basename "$file" .java)
    for target in $(grep -A1 '@FuzzTest' "$file" | sed -n 's/.* void \([A-Za-z0-9]*\)(.*/\1/p'); do
      echo "fuzz: $module $class.$target"
      JAZZER_FUZZ=1 mvn -q -B -ntp -pl "$module" -am test-compile surefire:test@default-test -Dtest="$class#$target" \
        -Dsurefire.failIfNoSpecifiedTests=false || status=1
    done
  done
done
exit $status
