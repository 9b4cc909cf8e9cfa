// Probes in a Go program: net/http; the file's lines are looked through for their beginnings.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
)

func main() {
	address, session := "http://127.0.0.1:9/event", "login-timeout"
	file, err := os.Open(".dbg/login-timeout.env")
	if err != nil {
		panic(err)
	}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "DEBUG_SERVER_URL=") {
			address = strings.TrimPrefix(lines.Text(), "DEBUG_SERVER_URL=")
		}
		if strings.HasPrefix(lines.Text(), "DEBUG_SESSION_ID=") {
			session = strings.TrimPrefix(lines.Text(), "DEBUG_SESSION_ID=")
		}
	}
	probe(address, map[string]any{
		"sessionId": session, "runId": "post-fix", "hypothesisId": "A", "location": "login.go:31", "msg": "[DEBUG] login",
		"data": map[string]any{"text": "\"quoted\" back\\slash Ünïcödé 日本語 🐞", "html": "<b>&</b>"}, "ts": 1766000000000,
	})
	probe(address, map[string]any{"msg": "done"})
}

func probe(address string, event map[string]any) {
	body, _ := json.Marshal(event)
	response, err := http.Post(address, "application/json", bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	fmt.Println(response.StatusCode)
}
