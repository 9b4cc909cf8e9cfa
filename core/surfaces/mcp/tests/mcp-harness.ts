/**
 * Clients of `skillctl mcp` and of `/mcp` of `skillctl serve`, each with its own process, and a skill whose output
 * shows how calls arrive.
 */
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { after, before } from "node:test";
import {
  Client,
  StreamableHTTPClientTransport,
  type ElicitRequestFormParams,
  type ElicitResult,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { temporaryFolder, writeSkill } from "../../cli/fixture-command-line.ts";
import { program, PROGRAM, variablesOf } from "../../../../contract-tests/command-line.ts";

/** The revisions of the protocol that are spoken, by how a connection begins. */
export const ERAS = ["2025-11-25", "2026-07-28"] as const;

/** The ways to a server. */
export const WAYS = ["stdio", "http"] as const;

export interface ClientWishes {
  readonly era?: (typeof ERAS)[number];
  /** Default: stdio. */
  readonly over?: (typeof WAYS)[number];
  readonly folder: string;
  /** Words after `mcp` or `serve`. */
  readonly words?: readonly string[];
  /** Arguments of node before the words. Default: the built program. */
  readonly start?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** Answers a form. Default: the client shows none, and says so. */
  readonly answer?: (form: ElicitRequestFormParams) => ElicitResult;
}

/** A transport that is not the SDK's own class makes the client ask for the revision on the connection itself. */
class OwnProcess extends StdioClientTransport {}

export interface OpenClient {
  readonly client: Client;
  readonly pid: number;
  /** Settles when the server has said this on standard error. */
  readonly said: (pattern: RegExp) => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

export async function connect(wishes: ClientWishes): Promise<OpenClient> {
  const { era = "2026-07-28", over = "stdio", answer } = wishes;
  const { transport, stderr, pid, end } = over === "http" ? await served(wishes) : piped(wishes);
  let err = "";
  stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const said = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(err)) await once(stderr, "data");
  };
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: { mode: era === "2025-11-25" ? "legacy" : { pin: era } },
      capabilities: answer ? { elicitation: { form: {} } } : {},
    },
  );
  if (answer)
    client.setRequestHandler("elicitation/create", ({ params }) => answer(params as ElicitRequestFormParams));
  await client.connect(transport);
  return {
    client,
    pid: pid(),
    said,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await end();
    },
  };
}

/** A client for all tests of a suite, in a separate folder. `wish`: its other options. Both end with the suite. */
export function connectOnce(
  wish: (folder: string) => Promise<Omit<ClientWishes, "folder">>,
): OpenClient & { readonly folder: string } {
  const suite = {} as OpenClient & { folder: string };
  let close = async (): Promise<void> => undefined;
  before(async () => {
    ({ path: suite.folder, close } = await temporaryFolder());
    Object.assign(suite, await connect({ ...(await wish(suite.folder)), folder: suite.folder }));
  });
  after(async () => {
    await suite[Symbol.asyncDispose]();
    await close();
  });
  return suite;
}

function piped({ folder, words = [], start = PROGRAM, variables = {} }: ClientWishes) {
  const transport = new OwnProcess({
    command: process.execPath,
    args: [...start, "mcp", ...words],
    cwd: folder,
    env: { ...variablesOf(folder), ...variables },
    stderr: "pipe",
  });
  const end = async (): Promise<void> => undefined;
  return { transport, stderr: transport.stderr as Readable, pid: () => transport.pid ?? -1, end };
}

/** The server prints its address with its key. */
async function served({ folder, words = [], start = PROGRAM, variables = {} }: ClientWishes) {
  const child = program(["serve", "--port", "0", ...words], folder, { start, variables });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  while (!out.includes("\n")) await once(child.stdout, "data");
  const address = new URL(out.trim());
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", address), {
    requestInit: { headers: { authorization: `Bearer ${address.searchParams.get("k") ?? ""}` } },
  });
  const end = async (): Promise<void> => {
    const ended = once(child, "close");
    child.kill("SIGTERM");
    await ended;
  };
  return { transport, stderr: child.stderr, pid: () => child.pid ?? -1, end };
}

const COMMANDS = [
  "once",
  "twice",
  "swallow",
  "hide",
  "wait",
  "ended",
  "size",
  "print",
  "speak",
  "fail",
  "talk",
  "late",
];

/** Commands that ask, wait, print and fail, besides the default one that greets. Writes it below `parent`. */
export function writeProbe(parent: string): Promise<string> {
  const command = { input: "probe/any", output: "probe/text-output", display: "text" };
  const commands = COMMANDS.map((name) => [name, { ...command, summary: `Does ${name}.` }] as const);
  const keeps = { ...command, summary: "Keeps running.", keepsRunning: true };
  return writeSkill(parent, "probe", {
    manifest: {
      commands: {
        ...Object.fromEntries(commands),
        greet: { ...command, summary: "Greets.", input: "probe/greet-input" },
        keep: keeps,
        "keep-here": { ...keeps, surfaces: ["mcp"] },
        "not-here": { ...command, summary: "Is for the command line.", surfaces: ["cli"] },
        list: { ...command, summary: "Answers a list.", output: "probe/list-output" },
      },
    },
    schemas: {
      any: {
        type: "object",
        properties: {
          options: { title: "Options", default: { title: "a value" } },
          word: { type: "string", minLength: 1, maxLength: 9 },
        },
        additionalProperties: true,
      },
      "list-output": { type: "array", items: { type: "string" } },
    },
    code: CODE,
  });
}

const CODE = `
const does = (run) => class { run = async (input, call) => ({ text: await run(call, input) }); };
const question = (text) => ({ text, options: [{ value: "A", label: "It is fixed" }, { value: "B", label: "It is not" }] });
const known = (code, message) => Object.assign(new Error(message), { code, [Symbol.for("skillctl.error")]: true });
let runs = 0;
let aborted = 0;
const until = (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => {
  aborted += 1;
  console.error("Given up.");
  reject(known("CANCELLED", "Given up."));
}));
export default { commands: {
  once: does(async ({ person }) => person.choose ? person.choose(question("Is it fixed?")) : "A. It is fixed"),
  twice: does(async ({ person }) => {
    runs += 1;
    const one = await person.choose(question("First?"));
    const two = await person.choose(question("Second?"));
    return one + two + " in run " + runs;
  }),
  swallow: does(async ({ person }) => { try { return await person.choose(question("Sure?")); } catch { return "nothing"; } }),
  hide: does(({ person }) => person.secret("Key: ")),
  wait: does(async ({ signal, progress }) => { progress("Waiting."); await until(signal); }),
  ended: does(async () => "aborted: " + aborted),
  size: does(async (_, { text }) => String(text.length)),
  print: does(async () => { console.log("stray"); process.stdout.write("more\\n"); return "printed"; }),
  speak: does(async ({ progress, announce, session, surface }) => {
    progress("One.");
    announce("Two.");
    progress("Three.");
    return surface + " " + session;
  }),
  fail: does(async () => { throw new Error("the password is hunter2"); }),
  talk: does(async (_, { name }) => "I am " + name),
  late: does(async ({ progress }) => { setImmediate(() => progress("Too late.")); return "done"; }),
  greet: does(async (_, { name }) => "Hello " + name),
  "not-here": does(async () => ""),
  keep: does(async () => ""),
  "keep-here": does(async () => ""),
  list: class { run = async () => ["a", "b"]; },
} };
`;

/** The text of the first part of a result. */
export function textOf({ content }: { readonly content: readonly unknown[] }): string {
  const [first] = content as readonly { readonly text?: string }[];
  return first?.text ?? "";
}

/** A folder of skills with the probe in it, as words. */
export async function probeWords(folder: string): Promise<readonly string[]> {
  return ["--plugin", await writeProbe(join(folder, "skills"))];
}
