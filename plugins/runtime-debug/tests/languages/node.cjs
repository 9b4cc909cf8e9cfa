/** Probes in a program for Node: a bare fetch, probes of the kind that Cursor writes, and a client that keeps its connection. */
const fs = require("node:fs");
const http = require("node:http");

const env = fs.readFileSync(".dbg/login-timeout.env", "utf8");
const url = env.match(/DEBUG_SERVER_URL=(.+)/)?.[1] ?? "http://127.0.0.1:9/event";
const sessionId = env.match(/DEBUG_SESSION_ID=(.+)/)?.[1] ?? "login-timeout";
const text = '"quoted" back\\slash Ünïcödé 日本語 🐞';
const told = ({ status }) => console.log(status);

async function probes() {
  const data = { text, count: 3, ratio: 0.5, ok: true, none: null };
  const probe = { sessionId, runId: "pre", hypothesisId: "A", location: "login.js:12", msg: "[DEBUG] login" };
  await fetch(url, { method: "POST", body: JSON.stringify({ ...probe, data, ts: 1766000000000 }) }).then(
    told,
  );

  const ingest = new URL("/ingest/7f0e6c1a-3f64-4f0d-9a4e-5f5b8f1c2d3e", url);
  ingest.search = new URL(url).search;
  const cursor = { location: "cart.js:total", message: "cart total", data: { items: [1, 2, 3] } };
  const named = {
    sessionId: "debug-session",
    runId: "run1",
    hypothesisId: "A,D",
    id: "log_1766000000001_ab12",
  };
  for (const [more, session] of [
    [named, undefined],
    [{}, "4f2a91"],
  ]) {
    const headers = { "Content-Type": "application/json", ...(session && { "X-Debug-Session-Id": session }) };
    const body = JSON.stringify({ ...cursor, timestamp: 1766000000001, ...more });
    await fetch(ingest, { method: "POST", headers, body }).then(told);
  }

  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  for (const step of ["first", "second"]) await posted(agent, [{ msg: step }, { msg: `${step}, again` }]);
  agent.destroy();
}

function posted(agent, events) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: "POST", agent }, (response) => {
      console.log(response.statusCode);
      response.resume().once("end", resolve);
    });
    request.once("error", reject);
    request.end(JSON.stringify(events, undefined, 2));
  });
}

void probes();
