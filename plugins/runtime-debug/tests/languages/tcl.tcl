# Probes in a Tcl program: the package http.
package require http

set file [open .dbg/login-timeout.env]
fconfigure $file -encoding utf-8
set text [read $file]
close $file
regexp {DEBUG_SERVER_URL=([^\n]+)} $text -> url
regexp {DEBUG_SESSION_ID=([^\n]+)} $text -> session

proc probe {body} {
    set token [http::geturl $::url -query [encoding convertto utf-8 $body] -type application/json -timeout 10000]
    puts [http::ncode $token]
    http::cleanup $token
}

set data {{"text":"\"quoted\" back\\slash Ünïcödé 日本語 \ud83d\udc1e"}}
probe "{\"sessionId\":\"$session\",\"runId\":\"pre\",\"hypothesisId\":\"F\",\"location\":\"login.tcl:22\",\"msg\":\"\\u005bDEBUG] login\",\"data\":$data,\"ts\":1766000000000}"
probe {{"msg":"done"}}
