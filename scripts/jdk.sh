# Sourced by the scripts at the root of the checkout, which set $name (for messages) and $root.

say() {
    printf '%s: %s\n' "$name" "$*" >&2
}

die() {
    say "$*"
    exit 1
}

# Is $1 the home of a JDK of version 25 or later? Reads its release file: starting every candidate would take longer
# than the program itself.
is_jdk() {
    [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
    [ "${version:-0}" -ge 25 ]
}

# Exports JAVA_HOME, or ends the script with one line that says what to install.
find_jdk() {
    if [ -n "${PATHLORE_JAVA:-}" ]; then
        home=${PATHLORE_JAVA%/bin/java}
        is_jdk "$home" || die "PATHLORE_JAVA=$PATHLORE_JAVA is not a JDK 25 or later"
        export JAVA_HOME="$home"
        return
    fi
    if [ -n "${JAVA_HOME:-}" ] && is_jdk "$JAVA_HOME"; then
        export JAVA_HOME
        return
    fi
    on_path=$(command -v java) && on_path=$(readlink -f "$on_path") || on_path=
    for home in "${on_path%/bin/java}" /usr/lib/jvm/* /opt/*jdk* "${HOME:-}"/.sdkman/candidates/java/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home; do
        if is_jdk "$home"; then
            export JAVA_HOME="$home"
            return
        fi
    done
    die "needs a JDK 25 or later; install one (Debian: temurin-25-jdk or openjdk-25-jdk) or set JAVA_HOME"
}

need_maven() {
    command -v mvn >/dev/null 2>&1 || die "needs Maven 3.8 or later to build; install it (Debian: apt-get install maven)"
}

# Maven with the caller's MAVEN_ARGS, which Maven itself only reads from 3.9 on.
maven() {
    (
        cd "$root"
        args=${MAVEN_ARGS:-}
        unset MAVEN_ARGS
        # shellcheck disable=SC2086 # several arguments in one variable
        exec mvn -B -ntp $args "$@"
    )
}
