#!/bin/sh
# Makes what runs where no JDK is installed: the launcher, the jars and a runtime trimmed to what they use.
# Called by Maven with -Pdistribution, with GNU tar. The same sources and JDK give the same bytes, whoever
# makes it and whatever the umask. So the start-up cache, which is never the same twice, is not in it: the
# launcher makes it at the first start.
#
# make-distribution.sh CHECKOUT JDK VERSION OUT BOM
#   OUT/parley-VERSION/          the folder
#   OUT/parley-VERSION.tar.gz    the same, packed
#   OUT/parley-VERSION.cdx.json  what it is made of (CycloneDX): BOM, and the runtime
#   OUT/SHA256SUMS               checksums of both files
set -eu
umask 022
checkout=$1 jdk=$2 name=parley-$3 out=$4 bom=$5
folder=$out/$name
. "$checkout/tools/find-jdk.sh"

rm -rf "$folder" "$out/$name.tar.gz" "$out/$name.cdx.json" "$out/SHA256SUMS"
mkdir -p "$folder/lib" "$folder/tools"
install -m 755 "$checkout/parley" "$folder/parley"
install -m 644 "$checkout/tools/find-jdk.sh" "$folder/tools/"
install -m 644 "$checkout/LICENSE" "$checkout/README.md" "$folder/"
install -m 644 "$checkout/library/target/parley.jar" "$folder/lib/"
for module in core file-log coordination dialects orchestration mcp cli; do
  install -m 644 "$checkout/$module/target/parley-$module.jar" "$folder/lib/"
done
mkdir "$folder/lib/libraries"
install -m 644 "$checkout"/cli/target/libraries/*.jar "$folder/lib/libraries/"

modules=$("$jdk/bin/jdeps" --ignore-missing-deps --multi-release 25 --print-module-deps --class-path "$folder/lib/libraries/*" "$folder"/lib/*.jar)
"$jdk/bin/jlink" --add-modules "$modules" --strip-debug --no-header-files --no-man-pages \
  --compress zip-6 --output "$folder/runtime"
chmod -R u+rwX,go+rX,go-w "$folder/runtime"

jdk_fits "$jdk" java
runtime='{ "type" : "platform", "bom-ref" : "runtime", "name" : "jdk", "version" : "'${jdk_build#-}'",'
runtime=$runtime' "description" : "trimmed by jlink to '$modules'", "licenses" : [ { "license" : { "id" : "GPL-2.0-with-classpath-exception" } } ] },'
awk -v runtime="$runtime" '
  { print }
  /^  "components" *: *\[/ { print "    " runtime; found = 1 }
  END { if (!found) exit 1 }' "$bom" >"$out/$name.cdx.json"
cp "$out/$name.cdx.json" "$folder/parley.cdx.json"

tar -cf - --sort=name --format=gnu --mtime=2026-01-01T00:00:00Z --owner=0 --group=0 --numeric-owner -C "$out" "$name" |
  gzip -9n >"$out/$name.tar.gz"
(cd "$out" && sha256sum "$name.tar.gz" "$name.cdx.json" >SHA256SUMS)
echo "$out/$name.tar.gz"
