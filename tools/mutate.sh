#!/usr/bin/env bash
# Changes the code of log, codec, leases, tasks and time in small ways (PIT) and counts which changes no
# test notices; see docs/TESTING.md. mutate.sh [AREA...]: all areas if none is named. At most 30 minutes.
# Only tests that stay in one process: each runs again and again.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/find-jdk.sh
find_jdk javac || exit 1
export JAVA_HOME=$jdk MAVEN_OPTS="$maven_jvm_options ${MAVEN_OPTS-}"
end=$((SECONDS + ${PARLEY_MUTATE_SECONDS:-1800}))
status=0

# area NAME MODULE CLASSES TESTS
area() {
  [ ${#wanted[@]} = 0 ] || [[ " ${wanted[*]} " == *" $1 "* ]] || return
  if [ $SECONDS -ge $end ]; then
    echo "mutate: no time left for $1"
    return
  fi
  rm -rf "$2/target/pit-reports"
  timeout $((end - SECONDS)) mvn -q -B -ntp -Pmutation -pl "$2" -am "-Dparley.mutate=$3" "-Dparley.mutate.tests=$4" \
    test-compile org.pitest:pitest-maven:mutationCoverage >"$2/target/pit-$1.log" 2>&1
  if [ $? = 124 ]; then
    echo "mutate: the time was over before $1 was done"
    return
  fi
  csv=$2/target/pit-reports/mutations.csv
  if [ ! -s "$csv" ]; then
    echo "mutate: $1 gave no result; see $2/target/pit-$1.log"
    status=1
    return
  fi
  cp "$csv" "$2/target/pit-$1.csv"
  awk -F, -v area="$1" '
    { n[$6]++; all++ }
    END { printf "mutate: %s: %d of %d changes noticed, %d reached and not noticed, %d not reached\n",
      area, n["KILLED"] + n["TIMED_OUT"] + n["MEMORY_ERROR"], all, n["SURVIVED"], n["NO_COVERAGE"] }' "$csv"
}

wanted=("$@")
area codec core 'dev.parley.core.json.*,dev.parley.core.Envelope*,dev.parley.core.codec.*' 'dev.parley.core.json.*Test,dev.parley.core.codec.EnvelopeCodecTest'
area time coordination 'dev.parley.coordination.fold.*Time*' 'dev.parley.coordination.TranscriptsTest,dev.parley.coordination.fold.TimesTest'
area leases coordination 'dev.parley.coordination.lease.*' 'dev.parley.coordination.TranscriptsTest,dev.parley.coordination.lease.*Test'
area tasks coordination 'dev.parley.coordination.task.*' 'dev.parley.coordination.TranscriptsTest'
area log file-log 'dev.parley.filelog.append.TopicFile,dev.parley.filelog.read.TopicReader,dev.parley.filelog.read.LineScanner,dev.parley.filelog.append.EncodedBatch' 'dev.parley.filelog.FileLogContractTest,dev.parley.filelog.read.DamagedFilesTest,dev.parley.filelog.read.ReadBackTest,dev.parley.filelog.read.PositionsInATopicTest,dev.parley.filelog.append.WritesThatGoWrongTest'
exit $status
