# Sourced by the program, which sets $name for messages.

# Sets $java, or ends the script with one line that says what to install. Reads the release files: starting every
# candidate would take longer than the program itself.
find_java() {
    on_path=$(command -v java) && on_path=$(readlink -f "$on_path") || on_path=
    for candidate in "${PATHLORE_JAVA:-}" "${JAVA_HOME:-}/bin/java" "$on_path" /usr/lib/jvm/*/bin/java; do
        [ -x "$candidate" ] && [ -r "${candidate%/bin/java}/release" ] || continue
        version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "${candidate%/bin/java}/release")
        if [ "${version:-0}" -ge 25 ]; then
            java=$candidate
            return
        fi
    done
    printf '%s: needs Java 25 or later; install it (temurin-25-jre or openjdk-25-jre-headless) or set PATHLORE_JAVA\n' "$name" >&2
    exit 1
}
