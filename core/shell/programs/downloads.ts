import { fileOf, hostAddress } from "./address.ts";
import { curl } from "./curl.ts";
import type { Word } from "./effects.ts";
import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";
import { joined } from "./started.ts";
import type { Table } from "./table.ts";
import { literal } from "./words.ts";

export function host(name: Word | undefined, port: Word | undefined, scene: Scene): void {
  if (name === undefined) return;
  const url =
    name.text === undefined || (port !== undefined && port.text === undefined)
      ? undefined
      : hostAddress(name.text, port?.text);
  if (url === undefined) scene.unknown("address");
  else scene.url(literal(url));
}

function wget(scene: Scene): void {
  const { operands, has, all } = follow(
    "u | O:w output-document:w o:w output-file:w a:w append-output:w P: directory-prefix: i:l input-file:l e:c execute:c post-file:r body-file:r post-data: body-data: header: U: user-agent: t: tries: T: timeout: w: wait: Q: A: R: D: I: X: l: level: B:u base:u user: password: ca-certificate:r certificate:r private-key:r load-cookies:r save-cookies:w referer: method: use-askpass:c config:c rejected-log:w warc-file:w hsts-file:w limit-rate: dns-timeout: connect-timeout: read-timeout: proxy-user: proxy-password: bind-address: progress: protocol-directories!v",
    scene,
  );
  if (has("spider") || has("O", "output-document")) return;
  const [folder] = all("P", "directory-prefix");
  if (
    has(
      "r",
      "recursive",
      "m",
      "mirror",
      "p",
      "page-requisites",
      "x",
      "force-directories",
      "content-disposition",
      "trust-server-names",
    )
  )
    return scene.write(folder ?? literal("."));
  if (folder !== undefined) scene.change(folder);
  for (const word of operands) scene.write(fileOf(word, "index.html"));
}

/** nc, telnet and others: a host and a port; with `-e` they start something. */
function netcat(scene: Scene): void {
  const { operands, has, all } = follow(
    "v | e: c: exec: sh-exec: lua-exec:c x: proxy: X: p: s: w: i: q: g: G: I: O: T: m: o:w output:w hex-dump:w source: source-port: wait: idle-timeout: delay: ssl-cert:r ssl-key:r",
    scene,
  );
  for (const text of all("e", "c", "exec", "sh-exec")) scene.shell(text);
  for (const proxy of all("x", "proxy")) scene.url(proxy);
  if (!has("l", "listen", "U")) host(operands[0], operands[1], scene);
}

/** socat: two addresses. */
function socat(scene: Scene): void {
  for (const { text } of follow("v | + lf:w L:w W:w", scene).operands) {
    const [, kind = "", rest = ""] = /^(\w[\w-]*):?([^]*)$/.exec(text ?? "") ?? [];
    const [value = ""] = rest.split(",");
    if (text === "-" || /^(?:stdio|stdin|stdout|stderr)$/i.test(kind)) continue;
    if (/^(?:(?:tcp|udp|sctp)[46]?(?:-connect|-sendto)?|(?:openssl|ssl)(?:-connect)?)$/i.test(kind)) {
      const [, name, port] = /^(.*):([^:]*)$/.exec(value) ?? [];
      host({ text: name }, port === undefined ? undefined : literal(port), scene);
    } else if (/^(?:exec|system|shell)$/i.test(kind)) scene.shell(literal(rest));
    else if (/-l(?:isten)?$|recv(?:from)?$/i.test(kind)) continue;
    else if (/^(?:open|create|file|gopen|creat)$/i.test(kind) || /^\.{0,2}\//.test(text ?? ""))
      scene.write(literal(value === "" ? (text ?? "") : value));
    else scene.unknown("address", "code", "write");
  }
}

const SSH = "v | + p: i:r o:c F:c l: L: R: D: J: E:w c: m: b: B: e: I:c O: Q: S: W: w: P:";

/** Another machine: its address, and code that runs there. */
function ssh(scene: Scene): void {
  const { operands, all } = follow(SSH.replace("o:c", "o:"), scene);
  for (const { text } of all("o")) {
    const [, name = "", value = ""] = /^\s*(\w+)[\s=]+([^]*)$/.exec(text ?? "") ?? [];
    if (/^(?:proxycommand|localcommand|knownhostscommand)$/i.test(name)) scene.shell(literal(value));
    else if (
      !/^(?:stricthostkeychecking|userknownhostsfile|connecttimeout|batchmode|loglevel|identitiesonly|serveralive\w+|port|user)$/i.test(
        name,
      )
    )
      scene.unknown("code");
  }
  const [target, ...command] = operands;
  const [, name = "", port] = /^(?:ssh:\/\/)?(?:[^@]*@)?([^:/]+)(?::(\d+))?/.exec(target?.text ?? "") ?? [];
  if (target !== undefined)
    host(
      name === "" ? { text: undefined } : literal(name),
      port === undefined ? undefined : literal(port),
      scene,
    );
  if (command.length > 0 && joined(command).text === undefined) scene.unknown("code");
  if (target !== undefined) scene.unknown("unlisted");
}

function httpie(scene: Scene): void {
  const words = follow(
    "v | o:w output:w A: a: auth: auth-type: session:w proxy:u verify: cert:r timeout: s: style: p: print: d!w download!w",
    scene,
  ).operands;
  const url = words.find(({ text }, index) => !(index === 0 && /^[A-Z]+$/.test(text ?? "")));
  const text = url?.text?.replace(/^:(?=\/|$)/, "localhost").replace(/^:/, "localhost:");
  const safe =
    scene.call.name.endsWith("s") && text !== undefined && !text.includes("://") ? `https://${text}` : text;
  if (url !== undefined) scene.url({ text: safe });
  for (const { text } of words) {
    const file = /^[\w.[\]-]+(?::=|=)?@([^]+)$/.exec(text ?? "")?.[1];
    if (file !== undefined) scene.read(literal(file));
  }
}

export const DOWNLOADS: Table = {
  curl,
  wget,
  "http https xh xhs httpie": httpie,
  "nc ncat netcat": netcat,
  "telnet ftp tnftp lftp": (scene) => {
    const { operands, has } = follow("v | e:c c:c f:c l: b:", scene);
    host(operands[0], operands[1], scene);
    if (scene.call.name !== "telnet" || has("e", "c")) scene.unknown("write", "read");
  },
  socat,
  ssh,
  "mosh autossh sshpass": "!c !h v",
  "aria2c axel youtube-dl yt-dlp gallery-dl lynx w3m links elinks": "!w u | o: d: O: x: dump!v",
  "ssh-keygen": "!w v | f:w",
  "ssh-add ssh-agent ssh-copy-id": "!n v",
  "ab wrk hey siege oha vegeta k6 autocannon bombardier":
    "u | n: c: t: d: H: m: p:r D:r s:x script:x body: T: a: A: X: z: q: k!v connections: duration: headers: method: r: w: R:",
  "websocat wscat grpcurl mqttx": "!h !c v",
  openssl: (scene) => {
    const [verb, ...rest] = scene.args;
    scene.args = rest;
    const { all } = follow(
      "r | - out:w o:w in:r connect: proxy: inkey:r key:r keyout:w CAfile:r cert:r config:c engine:c provider:c CAserial:w writerand:w sign:r signature:r verify:r prverify:r pass: passin: passout: k: kfile:r newkey: subj: days: servername: host: port:",
      scene,
    );
    for (const { text } of all("connect", "proxy", "host"))
      host(
        { text: text?.replace(/:[^:]*$/, "") },
        text?.includes(":") === true ? literal(text.split(":").at(-1) ?? "") : undefined,
        scene,
      );
    if (verb?.text === undefined || /^(?:engine|s_server|ts|ca|s_time)$/.test(verb.text))
      scene.unknown("code", "write");
  },
};
