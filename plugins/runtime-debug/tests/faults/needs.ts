import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Requirements of fault tests besides programs, and how to detect them. */
const CAPABILITIES: Readonly<Record<string, () => boolean>> = {
  linux: () => process.platform === "linux",
  root: () => process.getuid?.() === 0,
  mounts: () => succeeds("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"]),
  loops: () => existsSync("/dev/loop-control") && CAPABILITIES["mounts"]?.() === true,
  tracing: () => succeeds("strace", ["-qq", "-e", "trace=none", "true"]),
  "time namespaces": () => succeeds("unshare", ["--time", "--boottime", "1000", "true"]),
  "network namespaces": () =>
    succeeds("unshare", ["--net", "ip", "link", "add", "near", "type", "veth", "peer", "name", "far"]),
  libfaketime: () => FAKETIME !== undefined,
};

/** The library that fakes the time, if it is installed. */
export const FAKETIME = library("faketime/libfaketime.so.1");

/** A built program to start as another user, and a user number that owns nothing. */
export const NOBODY = 65_534;

/** The reason to skip a test: the first missing capability or program. False if nothing is missing. */
export function needs(...wanted: readonly string[]): string | false {
  const missing = wanted.find((one) => !(CAPABILITIES[one]?.() ?? installed(one)));
  return missing !== undefined && `needs ${missing}, which is missing here`;
}

/** Toolchains that may be installed and still not work: they are asked for their version. */
const VERSIONS: Readonly<Record<string, readonly string[]>> = {
  cargo: ["--version"],
  go: ["version"],
  java: ["-version"],
  javac: ["-version"],
  php: ["--version"],
  python3: ["--version"],
  ruby: ["--version"],
  rustc: ["--version"],
};

function installed(program: string): boolean {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const isThere = [...folders, "/usr/sbin", "/sbin"].some((folder) => existsSync(join(folder, program)));
  const version = VERSIONS[program];
  return isThere && (version === undefined || succeeds(program, version));
}

function library(name: string): string | undefined {
  const folders = ["x86_64-linux-gnu/", "aarch64-linux-gnu/", ""].map((one) => `/usr/lib/${one}`);
  return folders.map((folder) => folder + name).find((path) => existsSync(path));
}

function succeeds(program: string, words: readonly string[]): boolean {
  return spawnSync(program, words, { stdio: "ignore" }).status === 0;
}
