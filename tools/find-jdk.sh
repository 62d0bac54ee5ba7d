# Sourced by parley and check: finds a JDK 25 or newer. It starts no program unless all else fails,
# because it is on the path of every command: a JDK tells its version in its "release" file.

# jdk_fits HOME PROGRAM: HOME is version 25 or newer and has bin/PROGRAM. Sets jdk_build, which differs
# between any two builds of a JDK.
jdk_fits() {
  [ -x "$1/bin/$2" ] && [ -r "$1/release" ] || return 1
  jdk_build=
  while IFS= read -r jdk_line; do
    case $jdk_line in
      IMPLEMENTOR_VERSION=* | JAVA_RUNTIME_VERSION=*)
        jdk_line=${jdk_line#*=\"}
        jdk_build=$jdk_build-${jdk_line%%[!A-Za-z0-9.+-]*}
        ;;
      JAVA_VERSION=*)
        jdk_line=${jdk_line#JAVA_VERSION=}
        jdk_line=${jdk_line#\"}
        jdk_line=${jdk_line%%[!0-9]*}
        [ "${jdk_line:-0}" -ge 25 ]
        return
        ;;
    esac
  done <"$1/release"
  return 1
}

# find_jdk PROGRAM [RUNTIME]: sets jdk to the home of the first JDK that fits, or says what to install and fails.
# PROGRAM is java to run only, javac to compile. PARLEY_JDK_DIRS, a list of folders with JDKs in them
# (a:b:c), replaces the usual places.
# RUNTIME, one that came along with the program, goes before all others.
find_jdk() {
  for jdk in "${2-}" "${PARLEY_JAVA_HOME-}" "${JAVA_HOME-}"; do
    [ -n "$jdk" ] && jdk_fits "$jdk" "$1" && return 0
  done
  if [ -n "${PARLEY_JDK_DIRS+set}" ]; then
    jdk_rest=$PARLEY_JDK_DIRS:
    while [ -n "$jdk_rest" ]; do
      for jdk in "${jdk_rest%%:*}"/*; do
        jdk_fits "$jdk" "$1" && return 0
      done
      jdk_rest=${jdk_rest#*:}
    done
  else
    for jdk in /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \
      "${HOME-}"/.sdkman/candidates/java/* "${HOME-}"/.jdks/* \
      /Library/Java/JavaVirtualMachines/*/Contents/Home \
      /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
      jdk_fits "$jdk" "$1" && return 0
    done
  fi
  if jdk=$(command -v java) && jdk=$(readlink -f "$jdk" 2>/dev/null); then
    jdk=${jdk%/bin/java}
    jdk_fits "$jdk" "$1" && return 0
  fi
  echo "parley: no JDK 25 or newer was found: install one (Temurin 25 from https://adoptium.net, or apt install temurin-25-jdk or openjdk-25-jdk) or set PARLEY_JAVA_HOME to where it is." >&2
  return 1
}

# What quietens a JDK 25 that runs Maven, and keeps Maven from ending its output with bare escape
# codes. Not in .mvn/jvm.config: older JDKs would die of it before they can say that they are too old.
maven_jvm_options="--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Djansi.noreset=true"
