#!/usr/bin/env bash
# Builds the image and tries it as compose.yaml runs it: healthy, not root, read-only, three vendors streaming.
# Uses the Docker engine that answers; where none does, starts one with ../shared/tools/docker_local.sh (as root).
# Removes what it started, and nothing else.
set -euo pipefail
cd "$(dirname "$0")/.."

LOCAL=${DOCKER_LOCAL_SCRIPT:-../shared/tools/docker_local.sh}
BASE=python:3.13-slim
COMPOSE=(docker compose --project-name dragoman-image-test --file compose.yaml)
OUT=$(mktemp -d)
ENGINE_STARTED=
export DRAGOMAN_IMAGE=dragoman-image-test
DRAGOMAN_PORT=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
export DRAGOMAN_PORT
URL=http://127.0.0.1:$DRAGOMAN_PORT

say() { printf '%s\n' "$*"; }
fail() { say "FAILED: $*" >&2; exit 1; }
inside() { "${COMPOSE[@]}" exec -T gateway "$@"; }

start_engine() {
  [ -f "$LOCAL" ] || fail "no Docker engine answers, and $LOCAL is absent"
  # shellcheck disable=SC1090
  source <(bash "$LOCAL" env)
  COMPOSE+=(--file docker/compose.local.yaml)
  docker info > /dev/null 2>&1 || { bash "$LOCAL" up; ENGINE_STARTED=1; }
  docker image inspect "$BASE" > /dev/null 2>&1 || bash "$LOCAL" base
}

clean_up() {
  local status=$?
  [ "$status" = 0 ] || "${COMPOSE[@]}" logs --tail 50 gateway 2> /dev/null || true
  "${COMPOSE[@]}" down --volumes --rmi all --timeout 10 > /dev/null 2>&1 || true
  [ -z "$ENGINE_STARTED" ] || bash "$LOCAL" down
  rm -rf "$OUT"
}
trap clean_up EXIT

try_vendor() { # one streamed answer: the right vendor, well formed, complete
  local vendor=$1 stream=$OUT/$1.sse headers=$OUT/$1.headers
  curl --silent --show-error --fail --no-buffer --max-time 60 --dump-header "$headers" --output "$stream" \
    "$URL/v1/responses" -H "x-provider: $vendor" -H 'content-type: application/json' \
    -d '{"model": "demo", "input": "Say hello.", "stream": true}'
  grep -qi "^x-provider: $vendor" "$headers" || fail "$vendor: the answer does not carry x-provider: $vendor"
  grep -q '^event: response.output_text.delta' "$stream" || fail "$vendor: no text arrived"
  [ "$(grep '^event: ' "$stream" | tail -n 1)" = 'event: response.completed' ] || fail "$vendor: not completed"
  inside dragoman check < "$stream" || fail "$vendor: the stream is not well formed"
  say "$vendor: $(grep -c '^event: ' "$stream") events, well formed"
}

docker info > /dev/null 2>&1 || start_engine
"${COMPOSE[@]}" build --quiet
"${COMPOSE[@]}" up --detach --wait --wait-timeout 60
say "healthy: $DRAGOMAN_IMAGE, $(docker image inspect --format '{{.Size}}' "$DRAGOMAN_IMAGE" | awk '{ print int($1 / 1e6) " MB" }')"

curl --silent --show-error --fail --max-time 10 "$URL/healthz" > /dev/null
curl --silent --show-error --fail --max-time 10 --output "$OUT/models" "$URL/v1/models"
python3 -c 'import json, sys; sys.exit(not json.load(open(sys.argv[1]))["data"])' "$OUT/models" || fail "no models are listed"
VENDORS=$(inside python -c 'import adapters; print(*adapters.names())')
[ -n "$VENDORS" ] || fail "the image has no vendors"
for vendor in $VENDORS; do try_vendor "$vendor"; done

inside python - << 'PY' || fail "the container is not locked down"
import os
from pathlib import Path

status = dict(line.split(":\t", 1) for line in Path("/proc/1/status").read_text().splitlines() if ":\t" in line)
assert os.getuid() == 10001, f"runs as user {os.getuid()}"
assert os.statvfs("/").f_flag & os.ST_RDONLY, "the root file system is writable"
assert int(status["CapEff"], 16) == 0, f"has capabilities {status['CapEff']}"
assert status["NoNewPrivs"].strip() == "1", "may gain privileges"
print("user 10001, root file system read-only, no capabilities, no new privileges")
PY
"${COMPOSE[@]}" stop --timeout 20
CODE=$(docker inspect --format '{{.State.ExitCode}}' "$("${COMPOSE[@]}" ps --all --quiet gateway)")
[ "$CODE" = 0 ] || fail "told to stop, it exited $CODE"
say "stopped when told to"
say "image test passed"
