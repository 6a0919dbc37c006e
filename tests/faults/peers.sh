#!/usr/bin/env bash
# What urigrep and its peers do when things go wrong, as a table in Markdown, measured here and now.
#
#   tests/faults/peers.sh [COMMAND]      COMMAND is target/release/urigrep by default
#
# A cell is the exit status, how many of the URIs that are there were found, and how many lines were said on standard
# error. As root and without a network; peers that are not there are left out.
set -uo pipefail
cd "$(dirname "$0")/../.."
command=$(realpath "${1-target/release/urigrep}")
PATH="$PATH:$HOME/.cargo/bin"
tree=$(mktemp -d)
trap 'chmod -R u+rwX "$tree"; rm -rf "$tree"' EXIT
cd "$tree" || exit 1
regex='[a-z][a-z0-9+.-]*://[^[:space:]<>"]+'
peers=(urigrep)
for peer in rg squeeze grep; do command -v $peer >/dev/null && peers+=($peer); done

# find PEER ARGUMENT...: the URIs, however the peer is asked for them
find_uris() {
  local peer=$1; shift
  # without a file grep searches the directory
  [ $# -gt 0 ] || set -- -
  case $peer in
    urigrep) "$command" -z "$@" ;;
    rg) rg --color never -z -o -e "$regex" "$@" ;;
    grep) grep --color=never -rEo -e "$regex" "$@" ;;
    squeeze) squeeze --url "$@" ;;
  esac
}
export -f find_uris
export command regex

# cell PEER SHELL-COMMAND: runs it, in which `uris` stands for the peer
cell() {
  local peer=$1 script=${2//uris/find_uris $1}
  local found said status
  timeout -k 1 10 bash -c "$script" >out 2>err </dev/null
  status=$?
  found=$(grep -aoE 'http://(hit|good)[0-9]*\.example' out | wc -l)
  said=$(wc -l <err)
  case $status in
    124 | 137) echo 'over 10 s' ;;
    *) echo "$status, $found, $said" ;;
  esac
}

row() {
  local name=$1 script=$2 peer
  printf '| %s |' "$name"
  for peer in "${peers[@]}"; do printf ' %s |' "$(cell "$peer" "$script")"; done
  printf '\n'
}

printf '| fault |'; printf ' %s |' "${peers[@]}"
printf '\n|---|'; for _ in "${peers[@]}"; do printf -- '---|'; done; printf '\n'

mkdir good; for n in 1 2 3; do echo "http://good$n.example/" >good/$n.txt; done
printf 'http://hit1.example/\n\0\nhttp://hit2.example/\n' >nul
row 'a NUL between two URIs (2)' 'uris nul'
python3 - <<'PY'
open('utf16', 'wb').write('\ufeffhttp://hit1.example/ http://hit2.example/\n'.encode('utf-16-le'))
open('utf16be', 'wb').write('http://hit1.example/ http://hit2.example/\n'.encode('utf-16-be'))
PY
row 'UTF-16 with a mark (2)' 'uris utf16'
row 'UTF-16 without one (2)' 'uris utf16be'
row 'a line of 256 MiB, 1 GiB of addresses (1)' \
  'ulimit -v 1048576; { head -c 268435456 /dev/zero | tr "\0" x; echo " http://hit.example/"; } | uris'
mkdir missing; echo http://hit.example/ >missing/a
row 'a file that is not there (1)' 'uris missing/a missing/b'
row 'a file that can'"'"'t be read (1)' 'uris missing/a /proc/self/mem'
mkdir links; echo http://hit.example/ >links/a; ln -s nowhere links/dangling; ln -s self links/self
follow() { case $1 in urigrep | rg) echo -L ;; grep) echo -R ;; *) echo --follow ;; esac; }
export -f follow
row 'dangling and self links, followed (1)' 'set -- uris; uris $(follow $2) links'
mkdir maze; for a in 1 2 3 4 5 6 7 8 9 10 11 12; do mkdir maze/$a; echo http://hit.example/ >maze/$a/f
  for b in 1 2 3 4 5 6 7 8 9 10 11 12; do ln -s ../$b maze/$a/to$b; done; done
row 'a maze of 12 directories, followed (12)' 'set -- uris; uris $(follow $2) maze | sort -u'
mkdir special; echo http://hit.example/ >special/a; mkfifo special/fifo
row 'a FIFO in a tree (1)' 'uris special'
row 'a file of /proc, which has no size (1)' 'export X=http://hit.example/; uris /proc/self/environ'
python3 - <<'PY'
import os
os.mkdir('deep'); open('deep/a', 'w').write('http://hit.example/\n'); d = os.open('deep', os.O_RDONLY)
for _ in range(24):
    os.mkdir('d' * 200, dir_fd=d); e = os.open('d' * 200, os.O_RDONLY, dir_fd=d); os.close(d); d = e
PY
row 'directories deeper than PATH_MAX (1)' 'uris deep'
yes http://hit.example/ | head -n 300000 >much
row 'a reader that goes away (1)' 'uris much | head -n 1; exit ${PIPESTATUS[0]}'
row '/dev/full' 'uris much >/dev/full'
row 'SIGTERM while it writes (0 records cut)' \
  'mkfifo fifo1; uris much >fifo1 & pid=$!; exec 3<fifo1; sleep 0.5; kill -TERM $(pgrep -P $pid); cat <&3 >got; rm fifo1
   tail -n 1 got | grep -qx "http://hit.example/" || echo http://hit.example; wait $pid'
for n in $(seq 40); do mkdir -p fds/$n/$n/$n; echo "http://hit$n.example/" >fds/$n/$n/$n/f; done
row '16 descriptors (40)' 'ulimit -n 16; uris fds'
for n in $(seq 20000); do echo "$n http://hit$n.example/$((n * 7919 % 104729))"; done >text
for tool in gzip zstd xz bzip2; do
  command -v $tool >/dev/null || continue
  $tool -c text >text.$tool; size=$(stat -c %s text.$tool)
  case $tool in gzip) end=gz ;; zstd) end=zst ;; bzip2) end=bz2 ;; *) end=$tool ;; esac
  head -c $((size * 3 / 4)) text.$tool >cut.$end
  row "$tool that was cut (20000 before)" "uris cut.$end"
done
gzip -c text >one.gz; cat one.gz one.gz >two.gz
row 'gzip of two members (40000)' 'uris two.gz'
{ head -c 1073741824 /dev/zero; echo ' http://hit.example/'; } | gzip -1 | gzip -1 >bomb.gz.gz
row 'a GiB of zeros, packed twice, 256 MiB of addresses (1)' 'ulimit -v 262144; uris bomb.gz.gz'
python3 - <<'PY'
h = 'From: a@b\nMIME-Version: 1.0\n'
open('deep.eml', 'w').write(h + 'Content-Type: message/rfc822\n\nMIME-Version: 1.0\n' * 33000 + '\nhttp://hit.example/\n')
open('coded.eml', 'w').write(h + 'Content-Transfer-Encoding: base64\n\naHR0cDovL2hpdC5leGFtcGxlLw==\n')
PY
row 'mail, 33,000 messages inside each other (1)' 'uris deep.eml'
row 'mail in base64 (1)' 'uris coded.eml'
printf 'http://hit.example/\033[31m\302\233x\n' >escape
row 'escape codes on a terminal: lines with any (0)' \
  'SHELL=$BASH TERM=xterm NO_COLOR=1 script -qec "uris escape" /dev/null | LC_ALL=C grep -aP "\x1b|\xc2\x9b"; true'
