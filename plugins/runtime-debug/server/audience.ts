import { SkillError } from "skillctl";
import type { ServeInput } from "../contract.ts";
import { isBeyondLoopback } from "./network.ts";

const NAME = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d{1,5})?$/i;
const NOT_IN_A_HOST = /[/?#@\\\s]/;

/** For whom a server answers, as its flags say. */
export interface Audience {
  /** Address or name to listen on; an IPv6 address without brackets. */
  readonly host: string;
  readonly allowHosts: readonly string[];
  readonly allowOrigins: readonly string[];
  /** Others than programs of this user reach it, so it asks for keys. */
  readonly needsKeys: boolean;
}

/** Reads it off the flags, before anything is written. @throws SkillError `USAGE` */
export function audienceOf({ host, remote, allowHost, allowOrigin, requireKey }: ServeInput): Audience {
  const listens = host === undefined ? (remote ? "0.0.0.0" : "127.0.0.1") : checkedHost(host);
  return {
    host: listens,
    allowHosts: (allowHost ?? []).map(checkedName),
    allowOrigins: (allowOrigin ?? []).map(checkedOrigin),
    needsKeys: isBeyondLoopback(listens) || requireKey === true,
  };
}

/** As URLs spell it: the system takes `0` and `127.1` for addresses too, and a Host header names them in full. */
function checkedHost(given: string): string {
  const bare = given.replace(/^\[(.*)\]$/, "$1");
  const url = `http://${bare.includes(":") ? `[${bare}]` : bare}`;
  if (!NOT_IN_A_HOST.test(bare) && URL.canParse(url))
    return new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
  throw new SkillError("USAGE", `"${given}" is no address to listen on.`, {
    hint: "--host takes an address or a name of this machine, without a port: 192.168.1.20 or ::1.",
  });
}

function checkedName(name: string): string {
  if (NAME.test(name)) return name;
  throw new SkillError("USAGE", `"${name}" is no host name.`, {
    hint: "--allow-host takes a name or an address, with a port or without: dev.example or dev.example:7777.",
  });
}

function checkedOrigin(origin: string): string {
  const isExact = !origin.includes("*");
  if (isExact && URL.canParse(origin) && new URL(origin).origin === origin) return origin;
  throw new SkillError("USAGE", `"${origin}" is no origin.`, {
    hint: "--allow-origin takes scheme, host and port as a browser sends them, without wildcards: https://app.example.",
  });
}
