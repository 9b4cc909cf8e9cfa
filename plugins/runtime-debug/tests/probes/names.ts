/**
 * Programs that give every short name a different value, and the reports of their probes: in languages whose probes use
 * short names, and in those whose programs often reuse built-in names.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Language } from "../../probes/languages.ts";
import { probeRegion } from "../../probes/probe-text.ts";
import { ran } from "../program-run.ts";
import { sampleWish } from "./sample.ts";

export interface NamedProgram {
  readonly language: Language;
  readonly tools: readonly string[];
  readonly file: string;
  readonly run: readonly string[];
  /** Words that cannot be names. */
  readonly reserved?: string;
  readonly sigil?: string;
  /** Longer built-in names that programs often reuse. */
  readonly also?: string;
  readonly sync?: boolean;
  /** A function that declares its names and holds a probe; `number` makes its own name unique. */
  readonly part: (
    assignments: readonly (readonly [string, number])[],
    probe: string,
    number: number,
  ) => string;
  /** The text before all parts. */
  readonly start?: string;
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
/** Every name of one letter or two small ones. */
export const NAMES = [
  ...LETTERS,
  ...LETTERS.map((one) => one.toUpperCase()),
  ...LETTERS.flatMap((one) => LETTERS.map((other) => one + other)),
];
/** As many as an event of `probe` holds. */
const AT_ONCE = 12;

export const NODE: NamedProgram = {
  language: "javascript",
  tools: ["node"],
  file: "names.mjs",
  run: [process.execPath, "names.mjs"],
  reserved: "do if in",
  part: (all, probe, number) =>
    `function part${number}() {\nlet ${all.map(([name, value]) => `${name} = ${value}`).join(", ")};\n${probe}\n}\npart${number}();\n`,
};

export const SHELLS: readonly NamedProgram[] = (["sh", "bash", "dash", "busybox"] as const).map((shell) => ({
  language: "shell",
  tools: [shell],
  file: "names.sh",
  run: shell === "busybox" ? ["busybox", "sh", "names.sh"] : [shell, "names.sh"],
  sigil: "$",
  // The loop of the example whose values came out wrong.
  part: (all, probe) =>
    `${all.map(([name, value]) => `${name}=${value}`).join("\n")}\nfor ${all[0]?.[0] ?? "f"} in ${all[0]?.[1] ?? 3}; do\n${probe}\ndone\n`,
  start: "set -eu\n",
}));

export const OTHERS: readonly NamedProgram[] = [
  {
    ...NODE,
    file: "waiting.mjs",
    run: [process.execPath, "waiting.mjs"],
    sync: true,
  },
  {
    language: "python",
    tools: ["python3"],
    file: "names.py",
    run: ["python3", "names.py"],
    reserved: "as if in is or",
    also: "list type repr str json os dict len map id",
    part: (all, probe, number) =>
      `def part${number}():\n${all.map(([name, value]) => `    ${name} = ${value}\n`).join("")}${probe.replaceAll(/^/gm, "    ")}\npart${number}()\n`,
  },
  {
    language: "lua",
    tools: ["lua5.4"],
    file: "names.lua",
    run: ["lua5.4", "names.lua"],
    reserved: "do if in or",
    also: "type string table next pcall tostring ipairs pairs",
    part: (all, probe) =>
      `do\n${all.map(([name, value]) => `local ${name} = ${value}\n`).join("")}${probe}\nend\n`,
  },
];

/** Asserts that the probes of a program report each name's own value, each once. */
export async function assertNamed(
  t: TestContext,
  program: NamedProgram,
  names: readonly string[],
  path = process.env["PATH"] ?? "",
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-names-"));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const received: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      for (const line of text.trim().split("\n"))
        received.push((JSON.parse(line) as { readonly data: Record<string, unknown> }).data);
      response.end("ok");
    });
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const fallbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/event`;
  const { language, start = "", sigil = "", sync = false } = program;
  const reserved = new Set((program.reserved ?? "").split(" "));
  const values = [...new Set([...names, ...(program.also ?? "").split(" ").filter((name) => name !== "")])]
    .filter((name) => !reserved.has(name))
    .map((name, index) => [name, index + 100] as const);
  const parts: string[] = [];
  for (let at = 0; at < values.length; at += AT_ONCE) {
    const some = values.slice(at, at + AT_ONCE);
    const data = some.map(([name]) => ({ name: `n-${name}`, expression: sigil + name }));
    const probe = probeRegion(sampleWish(language, { data, fallbackUrl, sync })).join("\n");
    parts.push(program.part(some, probe, parts.length));
  }
  await writeFile(join(folder, program.file), start + parts.join(""));
  const { status, out, err } = await ran(program.run, folder, folder, { PATH: path });
  assert.deepEqual([status, out, err], [0, "", ""]);
  const told = received.flatMap((data) => Object.entries(data));
  const expected = values.map(([name, value]) => [`n-${name}`, language === "shell" ? String(value) : value]);
  const sorted = (all: readonly unknown[]): readonly string[] => all.map((one) => JSON.stringify(one)).sort();
  assert.deepEqual(sorted(told), sorted(expected));
}
