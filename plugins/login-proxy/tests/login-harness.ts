import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { HostedSkill } from "skillctl/host";
import type { Person, Wiring } from "skillctl";
import { createTestHost, type TestHost, type TestHostOptions } from "skillctl/testing";
import { SKILLS } from "../../../contract-tests/harness.ts";
import { fixtureSkill } from "../../../core/testing/fixture-skills.ts";
import { LOGIN_PROGRAM, type LoginProgram } from "../../ports.ts";

/** The reaction of the fake login program to one word of the protocol. */
interface ProgramReaction {
  readonly status?: number;
  readonly out?: string;
  readonly err?: string;
  /** Before it ends. */
  readonly delayMs?: number;
}

/** Reactions by word: token, check, login, verify, logout. A missing word ends with status 64. */
export type ProgramScript = Readonly<Record<string, ProgramReaction>>;

/** One call of the fake login program. */
interface ProgramCall {
  readonly args: readonly string[];
  readonly stdin: string;
  readonly variables: Readonly<Record<string, string>>;
}

const SOURCE = `
const { appendFileSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const acts = JSON.parse(readFileSync(join(__dirname, "acts.json"), "utf8"));
const args = process.argv.slice(2);
const word = args.find((one) => one in acts || ["token", "check", "login", "verify", "logout"].includes(one));
const stdin = readFileSync(0, "utf8");
appendFileSync(join(__dirname, "calls.ndjson"), JSON.stringify({ args, stdin, variables: process.env }) + "\\n");
const { status = 0, out = "", err = "", delayMs = 0 } = acts[word] ?? { status: 64 };
process.stderr.write(err);
setTimeout(() => {
  process.stdout.write(out);
  process.exitCode = status;
}, delayMs);
`;

/** A scripted login program: a real executable named svc-login, in a separate folder. */
export class FakeLogin {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async in(folder: string, acts: ProgramScript): Promise<FakeLogin> {
    const fake = new FakeLogin(join(folder, "bin"));
    await mkdir(fake.folder, { recursive: true });
    await writeFile(fake.path, `#!${process.execPath}\n${SOURCE}`);
    await chmod(fake.path, 0o755);
    await fake.plays(acts);
    return fake;
  }

  get path(): string {
    return join(this.folder, "svc-login");
  }

  plays(acts: ProgramScript): Promise<void> {
    return writeFile(join(this.folder, "acts.json"), JSON.stringify(acts));
  }

  async calls(): Promise<readonly ProgramCall[]> {
    const text = await readFile(join(this.folder, "calls.ndjson"), "utf8").catch(() => "");
    const lines = text.split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line) as ProgramCall);
  }

  async words(): Promise<readonly string[]> {
    return (await this.calls()).map(({ args }) => args.join(" "));
  }
}

/** A token that leak checks search for. */
export const CANARY = "canary-token-81f0c2d7";

/** An unsigned JWT with these claims. */
export function jwtOf(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "HS256" })}.${part(claims)}.c2lnbmF0dXJl`;
}

/** A host of the built-in skills, with a fake login program on PATH where acts are given. */
export async function loginHost(
  options: TestHostOptions & { readonly acts?: ProgramScript } = {},
): Promise<TestHost & { readonly login: FakeLogin; readonly file: string }> {
  const { acts, variables, ...more } = options;
  // The folder of the test host is not known before its creation; PATH is read when a program is looked up.
  const known: Record<string, string | undefined> = { ...variables };
  const test = await createTestHost({ skills: SKILLS, ...more, variables: known });
  const login = await FakeLogin.in(test.folder, acts ?? {});
  if (acts) known["PATH"] = login.folder;
  return Object.assign(test, { login, file: join(test.environment.home, ".svc-login", "token.json") });
}

/** Writes a cache file as another program might. */
export async function writeCache(file: string, content: unknown): Promise<void> {
  await mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
}

/** Runs a command of login-proxy as the command line does. */
export function asked(
  test: TestHost,
  command: string,
  input: object = {},
  more: { readonly person?: Person; readonly progress?: (sentence: string) => void } = {},
): Promise<Readonly<Record<string, unknown>>> {
  const request = { skill: "login-proxy", command, input, surface: "cli", ...more } as const;
  return test.run(request) as Promise<Readonly<Record<string, unknown>>>;
}

/** A person at a terminal of 80 columns who types this secret. */
export const typing = (text: string): Person => ({
  columns: 80,
  seesResult: true,
  secret: async () => text,
});

/** A caller that pipes this in. */
export const piping = (text: string): Person => ({ columns: undefined, secret: async () => text });

/** The identity of a file version: inode, times and size. */
export async function printOf(file: string): Promise<string> {
  const { ino, mtimeMs, ctimeMs, size } = await stat(file);
  return [ino, mtimeMs, ctimeMs, size].join(" ");
}

/** A skill that provides a login program. */
export function lendingSkill(program: unknown): HostedSkill {
  const wire = ({ value }: Wiring): void => value(LOGIN_PROGRAM, program as LoginProgram);
  return fixtureSkill("sibling", { provides: ["login-program"], code: { wire } });
}
