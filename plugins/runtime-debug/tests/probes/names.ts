/** Programs that give every short name a value of its own, and what their probes tell of it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Language } from "../../probes/languages.ts";
import { headRegion, probeRegion } from "../../probes/probe-text.ts";
import { ran } from "../program-run.ts";

export interface NamedProgram {
  readonly language: Language;
  readonly tools: readonly string[];
  readonly file: string;
  readonly build?: readonly string[];
  readonly run: readonly string[];
  /** Words that are no names. */
  readonly reserved?: string;
  readonly sigil?: string;
  /** Longer names that programs like to give away. */
  readonly also?: string;
  readonly sync?: boolean;
  /** A function that declares its names and holds a probe; `number` makes its own name. */
  readonly part: (
    assignments: readonly (readonly [string, number])[],
    probe: string,
    number: number,
  ) => string;
  /** Around all parts. */
  readonly whole: (head: string, parts: string, count: number) => string;
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

const calls = (count: number, call: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => call(number)).join("\n");

export const NODE: NamedProgram = {
  language: "javascript",
  tools: ["node"],
  file: "names.mjs",
  run: [process.execPath, "names.mjs"],
  reserved: "do if in",
  part: (all, probe, number) =>
    `function part${number}() {\nlet ${all.map(([name, value]) => `${name} = ${value}`).join(", ")};\n${probe}\n}\npart${number}();\n`,
  whole: (_, parts) => parts,
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
  whole: (_, parts) => `set -eu\n${parts}`,
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
    whole: (_, parts) => parts,
  },
  {
    language: "php",
    tools: ["php"],
    file: "names.php",
    run: ["php", "names.php"],
    sigil: "$",
    part: (all, probe, number) =>
      `function part${number}() {\n${all.map(([name, value]) => `$${name} = ${value};\n`).join("")}${probe}\n}\npart${number}();\n`,
    whole: (_, parts) => `<?php\n${parts}`,
  },
  {
    language: "ruby",
    tools: ["ruby"],
    file: "names.rb",
    run: ["ruby", "names.rb"],
    reserved: [...LETTERS.map((one) => one.toUpperCase()), "do if in or"].join(" "),
    part: (all, probe, number) =>
      `def part${number}\n${all.map(([name, value]) => `${name} = ${value}\n`).join("")}${probe}\nend\npart${number}\n`,
    whole: (_, parts) => parts,
  },
  {
    language: "perl",
    tools: ["perl"],
    file: "names.pl",
    run: ["perl", "names.pl"],
    sigil: "$",
    part: (all, probe, number) =>
      `sub part${number} {\n${all.map(([name, value]) => `my $${name} = ${value};\n`).join("")}${probe}\n}\npart${number}();\n`,
    whole: (_, parts) => `use strict; use warnings;\n${parts}`,
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
    whole: (_, parts) => parts,
  },
  {
    language: "go",
    tools: ["go"],
    file: "names.go",
    build: ["go", "build", "-o", "names", "names.go"],
    run: ["./names"],
    reserved: "go if",
    part: (all, probe, number) =>
      `func part${number}() {\n${all.map(([name, value]) => `${name} := ${value}\n`).join("")}${probe}\n}\n`,
    whole: (head, parts, count) =>
      `package main\n${head}\n${parts}func main() {\n${calls(count, (number) => `part${number}()`)}\n}\n`,
  },
  {
    language: "java",
    tools: ["javac", "java"],
    file: "Names.java",
    build: ["javac", "Names.java"],
    run: ["java", "Names"],
    reserved: "do if",
    part: (all, probe, number) =>
      `static void part${number}() {\n${all.map(([name, value]) => `int ${name} = ${value};\n`).join("")}${probe}\n}\n`,
    whole: (_, parts, count) =>
      `class Names {\n${parts}public static void main(String[] words) {\n${calls(count, (number) => `part${number}();`)}\n}\n}\n`,
  },
  {
    language: "rust",
    tools: ["rustc"],
    file: "names.rs",
    build: ["rustc", "-A", "warnings", "-o", "names", "names.rs"],
    run: ["./names"],
    reserved: "as do fn if in",
    part: (all, probe, number) =>
      `fn part${number}() {\n${all.map(([name, value]) => `let ${name} = ${value};\n`).join("")}${probe}\n}\n`,
    whole: (_, parts, count) => `${parts}fn main() {\n${calls(count, (number) => `part${number}();`)}\n}\n`,
  },
  ...(["gcc", "g++"] as const).map((compiler): NamedProgram => ({
    language: compiler === "gcc" ? "c" : "cpp",
    tools: [compiler, "curl"],
    file: compiler === "gcc" ? "names.c" : "names.cpp",
    build: [compiler, "-o", "names", compiler === "gcc" ? "names.c" : "names.cpp"],
    run: ["./names"],
    reserved: "do if or",
    part: (all, probe, number) =>
      `static void part${number}(void) {\n${all.map(([name, value]) => `int ${name} = ${value};\n`).join("")}${probe}\n}\n`,
    whole: (head, parts, count) =>
      `${head}\n#include <stdlib.h>\n${parts}int main(void) {\n${calls(count, (number) => `part${number}();`)}\nreturn 0;\n}\n`,
  })),
];

/** That the probes of a program tell each name's own value, each once. */
export async function assertNamed(
  t: TestContext,
  program: NamedProgram,
  names: readonly string[],
  path = process.env["PATH"] ?? "",
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-names-"));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const received: Record<string, unknown>[] = [];
  const server = createServer((socket) => {
    let text = "";
    socket.setEncoding("utf8").on("error", () => undefined);
    socket.on("data", (part: string) => {
      text += part;
      const [head = "", body] = text.split("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body === undefined || Buffer.byteLength(body) < length) return;
      received.push((JSON.parse(body) as { readonly data: Record<string, unknown> }).data);
      socket.end("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
    });
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const fallbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/event`;
  const { language, sigil = "", sync = false } = program;
  const reserved = new Set((program.reserved ?? "").split(" "));
  const values = [...new Set([...names, ...(program.also ?? "").split(" ").filter((name) => name !== "")])]
    .filter((name) => !reserved.has(name))
    .map((name, index) => [name, index + 100] as const);
  const parts: string[] = [];
  for (let at = 0; at < values.length; at += AT_ONCE) {
    const some = values.slice(at, at + AT_ONCE);
    const data = some.map(([name]) => ({ name: `n-${name}`, expression: sigil + name }));
    const wish = { language, session: "names-told", hypothesis: "A", point: "names", location: "names:1" };
    const probe = probeRegion({ ...wish, data, fallbackUrl, sync }).join("\n");
    parts.push(program.part(some, probe, parts.length));
  }
  await mkdir(folder, { recursive: true });
  const head = headRegion(language)?.join("\n") ?? "";
  await writeFile(join(folder, program.file), program.whole(head, parts.join(""), parts.length));
  for (const words of program.build ? [program.build, program.run] : [program.run]) {
    const { status, out, err } = await ran(words, folder, folder, { PATH: path });
    assert.deepEqual([status, out, err], [0, "", ""]);
  }
  const told = received.flatMap((data) => Object.entries(data));
  const expected = values.map(([name, value]) => [`n-${name}`, language === "shell" ? String(value) : value]);
  const sorted = (all: readonly unknown[]): readonly string[] => all.map((one) => JSON.stringify(one)).sort();
  assert.deepEqual(sorted(told), sorted(expected));
}
