#!/bin/sh
# Makes parley-VERSION/ and parley-VERSION.tar.gz, which run where no JDK is installed: the launcher,
# the jars, a runtime trimmed to what they use, and the start-up cache. Called by Maven with -Pdistribution.
# make-distribution.sh CHECKOUT JDK VERSION OUT
set -eu
checkout=$1 jdk=$2 name=parley-$3 out=$4
folder=$out/$name

rm -rf "$folder" "$out/$name.tar.gz"
mkdir -p "$folder/lib" "$folder/tools"
cp -p "$checkout/parley" "$folder/"
cp -p "$checkout/tools/find-jdk.sh" "$folder/tools/"
cp -p "$checkout/LICENSE" "$checkout/README.md" "$folder/"
for module in core file-log coordination dialects cli; do
  cp -p "$checkout/$module/target/parley-$module.jar" "$folder/lib/"
done

modules=$("$jdk/bin/jdeps" --ignore-missing-deps --multi-release 25 --print-module-deps "$folder"/lib/*.jar)
"$jdk/bin/jlink" --add-modules "$modules" --strip-debug --no-header-files --no-man-pages \
  --compress zip-6 --output "$folder/runtime"
"$folder/parley" --make-start-up-cache
"$folder/parley" --version
tar -czf "$out/$name.tar.gz" -C "$out" "$name"
echo "$out/$name.tar.gz"
