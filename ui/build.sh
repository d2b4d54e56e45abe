#!/bin/sh
# Puts the page into the directory $1. The built page is kept as text in prebuilt/, with a print of the sources it is made of: while
# they are the same it is taken, and nobody needs node. Otherwise it is built. "build.sh --keep" renews prebuilt/.
set -eu
cd "$(dirname "$0")"

print_of() {
    find "$@" -type f ! -name SOURCES | LC_ALL=C sort | while read -r file; do
        printf '%s ' "$file"
        sha256sum <"$file"
    done | sha256sum | cut -d ' ' -f 1
}

print() {
    print_of index.html package-lock.json vite.config.js public src
    print_of prebuilt
}

able() {
    command -v node >/dev/null && command -v npm >/dev/null &&
        node -e 'const [a, b] = process.versions.node.split(".").map(Number);
                 process.exit(a > 22 || (a == 22 && b >= 12) || (a == 20 && b >= 19) ? 0 : 1)'
}

build() {
    stamp=node_modules/.lock-stamp
    if ! cmp -s package-lock.json "$stamp" 2>/dev/null; then
        # Not "npm ci": the lock of one platform lacks the bindings of others, which it takes for a fault.
        npm install --no-save --loglevel=error >/dev/null && cp package-lock.json "$stamp"
    fi
    ./node_modules/.bin/vite build --logLevel warn --outDir "$1" --emptyOutDir
}

case "${1:-}" in
--keep)
    build prebuilt
    print >prebuilt/SOURCES
    ;;
--print) print ;;
--build) build "$2" ;;
*)
    if [ "$(print)" != "$(cat prebuilt/SOURCES)" ] && able && build "$1"; then
        exit 0
    fi
    [ "$(print)" = "$(cat prebuilt/SOURCES)" ] || echo "ui: no node of 20.19 or newer; the page that is kept is older than its sources" >&2
    rm -rf "$1"
    mkdir -p "$1"
    cp -r prebuilt/. "$1"
    ;;
esac
