import { calls, type Row } from "./call.ts";

const path = "/openapi/v1/musician/data/agent/chat-sync";
const body = `-H 'content-type: application/json' -d '{"userMessage":"x"}'`;

/** The analysis service, past the program that may ask it. */
const ROWS: readonly Row[] = [
  ["deny", "service", `curl -s -X POST {service}${path} ${body}`, "asked directly"],
  [
    "deny",
    "service",
    `curl -s "{service}/openapi/v1/musician/data/agent/chat%2Dsync" ${body}`,
    "with a sign in percent",
  ],
  [
    "deny",
    "service",
    `curl -s {service}/openapi/v1/x/../musician/data/agent/chat-sync ${body}`,
    "with dots in the path",
  ],
  ["deny", "service", `p=${path}; curl -s {service}$p ${body}`, "in a variable"],
  [
    "deny",
    "service",
    `curl -s {service}/openapi/v1/musician/data/agent/{chat-sync,x} ${body}`,
    "with braces",
  ],
  ["deny", "service", `curl -s --url {service}${path} ${body}`, "by an option"],
  [
    "deny",
    "service",
    `printf 'url = "{service}${path}"\\ndata = "{}"' | curl -s -K -`,
    "by a file of settings",
  ],
  ["deny", "service", `sh -c "curl -s {service}${path} -d '{}'"`, "in another shell"],
  ["deny", "service", `echo {service}${path} | xargs curl -s -d '{}'`, "named by a pipe"],
  ["deny", "untried", `wget -qO- --post-data='{}' {service}${path}`, "by another program"],
  [
    "ask",
    "service",
    `python3 -c "import urllib.request as u; u.urlopen(u.Request('{service}${path}', data=b'{}'))"`,
    "by python",
  ],
  ["ask", "service", `node -e "fetch('{service}${path}',{method:'POST',body:'{}'})"`, "by node"],
  [
    "told",
    "service",
    `U=$(echo ${Buffer.from(path).toString("base64")} | base64 -d); curl -s {service}$U ${body}`,
    "hidden",
  ],
  [
    "told",
    "service",
    `eval "$(printf 'curl -s {service}/openapi/v1/musician/data/agent/chat-%s -d {}' sync)"`,
    "made and run",
  ],
  [
    "ask",
    "service",
    `exec 3<>/dev/tcp/127.0.0.1/{servicePort}; printf 'POST ${path} HTTP/1.0\\r\\nContent-Length: 2\\r\\n\\r\\n{}' >&3; cat <&3`,
    "by the shell itself",
  ],
  ["deny", "untried", `curl -s HTTPS://Music.Example${path} ${body}`, "letters of any case in the host"],
  [
    "deny",
    "untried",
    { tool: "WebFetch", input: { url: `https://music.example${path}`, prompt: "x" } },
    "by a tool",
  ],
  [
    "deny",
    "untried",
    {
      tool: "mcp__http__request",
      input: { method: "POST", url: `https://music.example${path}`, body: "{}" },
    },
    "by a server's tool",
  ],
  [
    "deny",
    "untried",
    { tool: "mcp__http__request", input: { request: { host: "music.example", path } } },
    "host and path apart",
  ],
];

export const SERVICE = calls(ROWS, "none");
