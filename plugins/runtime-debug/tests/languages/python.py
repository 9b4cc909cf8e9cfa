# Probes in a Python program: urllib, the file read line by line, the time as text.
import json
import urllib.request

settings = {"DEBUG_SERVER_URL": "http://127.0.0.1:9/event"}
with open(".dbg/login-timeout.env", encoding="utf-8") as file:
    for line in file:
        name, _, value = line.strip().partition("=")
        settings[name] = value


def probe(event):
    body = json.dumps(event).encode()
    request = urllib.request.Request(settings["DEBUG_SERVER_URL"], data=body, method="POST")
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=10) as response:
        print(response.status)


text = '"quoted" back\\slash Ünïcödé 日本語 🐞'
probe({
    "sessionId": settings["DEBUG_SESSION_ID"],
    "runId": "post",
    "hypothesisId": ["A", "C"],
    "location": "login.py:check",
    "msg": "[DEBUG] login",
    "data": {"text": text, "count": 3, "ratio": 1.0, "ok": True, "none": None},
    "ts": "2026-07-01T12:00:00.123456+02:00",
})
probe({"event": "done", "seq": 2})
