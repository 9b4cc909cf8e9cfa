import type { Word } from "./effects.ts";
import { address, fileOf } from "./address.ts";
import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";
import { literal } from "./words.ts";

const OPTIONS =
  "url: o: output: O!v output-dir: b: cookie: c:w cookie-jar:w D:w dump-header:w d: data: data-ascii: data-binary: data-urlencode: data-raw: json: F: form: form-string: H: header: proxy-header: T:r upload-file:r K: config: x:u proxy:u preproxy:u socks4:u socks4a:u socks5:u socks5-hostname:u resolve: connect-to: e: referer: A: user-agent: u: user: U: proxy-user: X: request: m: max-time: connect-timeout: retry: retry-delay: retry-max-time: C: continue-at: r: range: y: Y: z: Q: quote: P: t: w: write-out: E:r cert:r key:r cacert:r capath:r crlfile:r proxy-cert:r proxy-key:r proxy-cacert:r cert-type: key-type: pass: ciphers: tls-max: trace:w trace-ascii:w stderr:w libcurl:w etag-save:w etag-compare:r hsts:w alt-svc:w netrc-file:r interface: local-port: dns-servers: doh-url:u unix-socket: abstract-unix-socket: max-redirs: max-filesize: limit-rate: rate: parallel-max: aws-sigv4: oauth2-bearer: noproxy: proto: proto-default: proto-redir: keepalive-time: expect100-timeout: engine:c variable: expand-url: expand-data:r expand-output:w url-query: happy-eyeballs-timeout-ms: create-file-mode: ftp-port: mail-from: mail-rcpt: pinnedpubkey: request-target: service-name: speed-limit: speed-time: telnet-option: tlsuser: tlspassword: krb: login-options: random-file: egd-file: dns-interface: haproxy-clientip: ip-tos: vlan-priority: trace-config: skip-existing!v";

/** curl: what it calls, sends from files and keeps in files. */
export function curl(scene: Scene, args: readonly Word[] = scene.args, depth = 0): void {
  const line = follow(`v | ${OPTIONS}`, scene, args);
  const urls = [...line.operands, ...line.all("url")];
  for (const url of urls) called(url, scene);
  for (const data of line.all("d", "data", "data-ascii", "data-binary", "json", "url-query"))
    fileAfter(data, /^@([^]+)$/, scene);
  for (const data of line.all("data-urlencode")) fileAfter(data, /^[^=@]*@([^]+)$/, scene);
  for (const form of line.all("F", "form")) fileAfter(form, /^[^=]*=[@<]([^;,]+)/, scene);
  for (const header of line.all("H", "header", "proxy-header")) fileAfter(header, /^@([^]+)$/, scene);
  for (const cookie of line.all("b", "cookie"))
    if (cookie.text === undefined || !cookie.text.includes("=")) scene.read(cookie);
  for (const { text } of line.all("w", "write-out")) {
    if (text === undefined) scene.unknown("write", "read");
    fileAfter({ text: text ?? "" }, /^@([^]+)$/, scene);
    const output = /%output\{(?:>>)?([^}]{0,4096})\}/.exec(text ?? "")?.[1];
    if (output !== undefined) scene.write(literal(output));
  }
  for (const { text } of line.all("resolve"))
    hostIn(text?.replace(/^[+-]?[^:]*:[^:]*:/, "").split(",")[0], scene);
  for (const { text } of line.all("connect-to")) hostIn(/^[^:]*:[^:]*:(.*)$/.exec(text ?? "")?.[1], scene);
  if (line.has("expand-url", "variable")) scene.unknown("address", "read");
  for (const socket of line.all("unix-socket", "abstract-unix-socket")) scene.read(socket);
  outputs(line, urls, scene);
  for (const file of line.all("K", "config")) configured(file, scene, depth);
}

function called(url: Word, scene: Scene, depth = 0): void {
  const range = /\[(\w)-(\w)\]/.exec(url.text ?? "");
  if (range !== null && /^file:/i.test(url.text ?? "")) {
    const [from = 0, to = 0] = [range[1]?.charCodeAt(0), range[2]?.charCodeAt(0)];
    if (to < from || to - from > 25 || depth > 4) return scene.unknown("address", "read");
    for (let code = from; code <= to; code++)
      called(literal((url.text ?? "").replace(range[0], String.fromCharCode(code))), scene, depth + 1);
    return;
  }
  const choices = /\{([^{}]*)\}/.exec(url.text ?? "");
  if (choices === null || (choices[1] ?? "").split(",").length > 20) return scene.url(url);
  for (const choice of (choices[1] ?? "").split(","))
    called(literal((url.text ?? "").replace(choices[0], choice)), scene, depth);
}

function fileAfter(word: Word, pattern: RegExp, scene: Scene): void {
  const file = pattern.exec(word.text ?? "")?.[1];
  if (file !== undefined) scene.read(literal(file));
  else if (word.text === undefined && ((word.known ?? "") === "" || /[@<]/.test(word.known ?? "")))
    scene.unknown("read");
}

function hostIn(text: string | undefined, scene: Scene): void {
  if (text === undefined || text === "" || text === ":") return;
  const url = address(`http://${text}/`);
  if (url === undefined) scene.unknown("address");
  else scene.url(literal(url));
}

function outputs(line: ReturnType<typeof follow>, urls: readonly Word[], scene: Scene): void {
  const [folder] = line.all("output-dir");
  if (folder !== undefined) scene.change(folder);
  for (const file of line.all("o", "output"))
    scene.write(file.text?.includes("#") === true ? { text: undefined } : file);
  if (!line.has("O", "remote-name", "remote-name-all", "J", "remote-header-name")) return;
  if (line.has("J", "remote-header-name")) scene.write(folder === undefined ? literal(".") : { text: "" });
  if (line.has("J", "remote-header-name") && folder !== undefined) scene.unknown("write");
  for (const url of urls) scene.write(fileOf(url, "curl_response"));
}

/** `-K file`: further words, one a line. */
function configured(file: Word, scene: Scene, depth: number): void {
  scene.read(file);
  const { stdin } = scene.call;
  const text = file.text !== "-" ? scene.text(file) : stdin.kind === "text" ? stdin.text : undefined;
  if (text === undefined || depth > 3) return scene.unknown("address", "read", "write");
  const words: Word[] = [];
  for (const row of text.split("\n")) {
    const [, name, value = ""] =
      /^\s*(?:--)?([\w-]+)\s*[=:\s]?\s*([^]*)$/.exec(row.replace(/^\s*#[^]*/, "")) ?? [];
    if (name === undefined || name === "") continue;
    words.push(literal(name.startsWith("-") && !name.startsWith("--") ? name : `--${name}`));
    if (value.trim() !== "") words.push(literal(value.trim().replace(/^"([^]*)"$/, "$1")));
  }
  curl(scene, words, depth + 1);
}
