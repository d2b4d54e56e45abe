# Sourced after jdk.sh by the scripts that run a module of this checkout: build MODULE [DIRECTORY].
#
# What is built is copied to target/run/MODULE-FINGERPRINT, a fingerprint of everything it is built from. The directory
# appears in one rename and its jars are never written again, so several may start, build and run at once; a directory
# that is there is up to date, and needs neither Maven nor a writable checkout.

# Contents, not times: a checkout, a deletion or a restored backup counts, a touched file does not.
fingerprint() {
    (
        cd "$root"
        set -- pom.xml .mvn ui/build.sh ui/index.html ui/package-lock.json ui/prebuilt ui/public ui/src ui/vite.config.js
        for pom in */pom.xml; do
            of=${pom%/pom.xml}
            case $of in
                testkit | it | flink) continue ;;
                benchmark) [ "$module" = bench ] || continue ;;
            esac
            set -- "$@" "$pom"
            [ ! -d "$of/src/main" ] || set -- "$@" "$of/src/main"
        done
        find "$@" -type f ! -name '.*' ! -name '*~' -exec cksum {} + | LC_ALL=C sort | cksum | tr ' ' -
    )
}

lock_builds() {
    if command -v flock >/dev/null 2>&1; then
        exec 8>"$work/lock"
        flock -n 8 || { say "waiting for another build" && flock 8; }
        return
    fi
    until mkdir "$work/lock.d" 2>/dev/null; do
        sleep 1
        owner=$(cat "$work/lock.d/pid" 2>/dev/null) || owner=
        { [ -n "$owner" ] && kill -0 "$owner" 2>/dev/null; } || rm -rf "$work/lock.d"
    done
    echo $$ >"$work/lock.d/pid"
}

unlock_builds() {
    if command -v flock >/dev/null 2>&1; then
        exec 8>&-
    else
        rm -rf "$work/lock.d"
    fi
}

# One line; on a terminal it grows by a dot a second.
build_with_progress() {
    what=building
    [ -d "$root/$dir/target/quick" ] || what="building (the first run downloads dependencies, about a minute)"
    ticker=
    if [ -t 2 ]; then
        printf '%s: %s ' "$name" "$what" >&2
        while sleep 1; do printf . >&2; done 8>&- &
        ticker=$!
    else
        say "$what"
    fi
    trap '[ -z "$ticker" ] || kill "$ticker" 2>/dev/null' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    rm -rf "$root"/*/target/quick # what Maven would leave of deleted files
    built=0
    MAVEN_OPTS="-XX:+UseSerialGC -XX:TieredStopAtLevel=1 ${MAVEN_OPTS:-}" \
        maven -q -Dstyle.color=never -pl ":pathlore-$module" -am -Dpathlore.quick package \
        >"$work/build.log" 2>&1 </dev/null || built=$?
    if [ -n "$ticker" ]; then
        kill "$ticker" 2>/dev/null || :
        echo >&2
    fi
    trap - EXIT INT TERM
    return "$built"
}

# Removes what no longer matches the sources and is not running: who runs it holds a lock on its jar.
prune() {
    for old in "$work/$module"-*; do
        [ "$old" != "$dist" ] || continue
        if command -v flock >/dev/null 2>&1; then
            flock -n "$old/pathlore-$module.jar" rm -rf "$old" 2>/dev/null || :
        elif [ -n "$(find "$old" -prune -mtime +7)" ]; then
            rm -rf "$old"
        fi
    done
}

# Builds until the sources stand still, and sets $dist.
make_dist() {
    mkdir -p "$work" 2>/dev/null && [ -w "$work" ] || die "cannot build: $work is not writable"
    need_maven
    lock_builds
    for attempt in 1 2 3; do
        dist=$work/$module-$(fingerprint)
        [ ! -d "$dist" ] || break # another one built it while this one waited
        if ! build_with_progress; then
            tail -n 30 "$work/build.log" | sed '/\[Help 1\]/,$d' >&2
            unlock_builds
            die "the build failed; all that Maven said: $work/build.log"
        fi
        [ "$dist" = "$work/$module-$(fingerprint)" ] || continue
        rm -rf "$work"/new.*
        mkdir "$work/new.$$" &&
            cp -R "$root/$dir/target/quick/pathlore-$module.jar" "$root/$dir/target/quick/lib" "$work/new.$$" &&
            mv "$work/new.$$" "$dist" || die "cannot write to $work"
        fresh=yes
        prune
        break
    done
    unlock_builds
    [ -d "$dist" ] || die "the sources changed during each of $attempt builds; try again"
}

# Sets $dist, and $fresh if it had to be built. Holds a shared lock on its jar, which the program inherits through exec
# and prune respects.
build() {
    fresh=
    module=$1
    dir=${2:-$1}
    work=$root/target/run
    for attempt in 1 2 3; do
        dist=$work/$module-$(fingerprint)
        [ -d "$dist" ] || make_dist
        # Another build may prune it between these lines.
        command exec 9<"$dist/pathlore-$module.jar" || continue
        ! command -v flock >/dev/null 2>&1 || flock -s 9 || :
        [ ! -d "$dist" ] || return 0
    done
    die "cannot read $dist"
}

# Beside the program: the job, the libraries of a cluster and those of a broker, for who measures them. Nobody else downloads these.
build_cluster() {
    need_maven
    lock_builds
    say "building the job, a cluster and a broker (the first run downloads 200 MB)"
    if ! maven -q -Dstyle.color=never -Dpathlore.quick -Dpathlore.target=target/job -Pbroker \
        -pl :pathlore-flink,:pathlore-bench -am package >"$work/job.log" 2>&1 </dev/null; then
        tail -n 30 "$work/job.log" | sed '/\[Help 1\]/,$d' >&2
        unlock_builds
        die "the build failed; all that Maven said: $work/job.log"
    fi
    unlock_builds
}
