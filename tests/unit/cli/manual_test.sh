#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# manual_test.sh FOLDER: checks the generated manual pages and completions with the programs that read them.
set -eu
folder=$1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect WORDS LINE...: what completing the last word of a command line offers contains these words.
expect() {
    local wanted=$1 word
    shift
    COMP_WORDS=("$@")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMPREPLY=()
    _rubato || true # compopt fails outside a completion
    for word in $wanted; do
        case " ${COMPREPLY[*]} " in
            *" $word "*) ;;
            *) fail "completing '$*' offers '${COMPREPLY[*]}', not '$word'" ;;
        esac
    done
}

check_bash() {
    bash -n "$folder/bash/rubato" || fail "bash cannot parse the completion"
    # shellcheck source=/dev/null
    . "$folder/bash/rubato"
    expect run rubato ru
    [ "${#COMPREPLY[@]}" -eq 1 ] || fail "'rubato ru' offers ${COMPREPLY[*]}"
    expect "simulate synthesize study" rubato s
    expect "--step --step-control --step-tolerance" rubato run --step
    expect jacobi rubato run --algorithm ja
    expect jacobi rubato run --algorithm = ja
    expect adaptive-order rubato study ""
    expect --network rubato study adaptive-order --net
    local place
    place=$(mktemp -d)
    touch "$place/a.yaml" "$place/a.txt" "$place/b.conf"
    mkdir "$place/folder"
    expect "$place/a.yaml $place/b.conf $place/folder" rubato run "$place/"
    case " ${COMPREPLY[*]} " in *.txt*) fail "'rubato run' offers a file that is no scenario" ;; esac
    rm -r "$place"
}

check_other_shell() {
    local shell=$1 file=$2
    if ! command -v "$shell" >/dev/null; then
        echo "SKIPPED: there is no $shell to parse its completion"
    elif ! "$shell" -n "$file"; then
        fail "$shell cannot parse the completion"
    fi
}

check_man() {
    if ! command -v man >/dev/null; then
        echo "SKIPPED: there is no man to read the manual pages"
        return
    fi
    local page warnings
    for page in "$folder"/man1/*.1; do
        warnings=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
        [ -z "$warnings" ] || fail "$(basename "$page"): $warnings"
        LC_ALL=C.UTF-8 MANWIDTH=80 man -E UTF-8 -l "$page" 2>/dev/null | grep -q OPTIONS || fail "$page has no options"
    done
}

check_bash
check_other_shell zsh "$folder/zsh/_rubato"
check_other_shell fish "$folder/fish/rubato.fish"
check_man
[ -f "$folder/man1/rubato-run.1" ] || fail "there is no page rubato-run.1"
[ -f "$folder/man1/rubato-study-adaptive-order.1" ] || fail "there is no page rubato-study-adaptive-order.1"
[ $failures -eq 0 ]
