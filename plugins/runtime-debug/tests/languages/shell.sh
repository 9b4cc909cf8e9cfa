# Probes in a shell script: curl with its own content type, with Expect, in pieces, and several lines at once.
. ./.dbg/login-timeout.env

probe() {
  curl --silent --show-error --output answer.txt --write-out '%{http_code}\n' --request POST "$DEBUG_SERVER_URL" "$@"
}

probe -d "{\"sessionId\":\"$DEBUG_SESSION_ID\",\"runId\":\"$DEBUG_RUN_ID\",\"hypothesisId\":\"A-D\",\"location\":\"login.sh:8\",\"msg\":\"[DEBUG] login\",\"data\":{\"text\":\"\\\"quoted\\\" back\\\\slash Ünïcödé 日本語 🐞\"}}"
long=$(printf '%02000d' 7)
probe -H 'Content-Type: application/json' -H 'Expect: 100-continue' -d "{\"msg\":\"expected\",\"data\":{\"long\":\"$long\"}}"
printf '{"msg":"in pieces"}' | probe -H 'Transfer-Encoding: chunked' -H 'Content-Type: text/plain' --data-binary @-
printf '{"msg":"line 1"}\n{"msg":"line 2"}\r\n\n{"msg":"line 3"}' | probe --data-binary @-
probe --http1.0 -d '{"msg":"old"}'
