import { PassThrough } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { withInstructions } from "../../called-commands.ts";
import { surfacesOf } from "../../catalog.ts";
import type { Command } from "../../contract.ts";
import { SkillError, asSkillError, describedIn } from "../../errors/skill-error.ts";
import { serveMcp } from "../../host.ts";
import type { SurfaceName } from "../../plugin.ts";
import type { Http } from "../../ports/http.ts";
import { isObject, jsonValue } from "../../schema/json.ts";
import type { TestHost } from "../test-host.ts";
import { casesOf, shown, type CaseTools, type RunningServer, type SkillCase } from "./contract-case.ts";

/** The command of a call. */
export interface Called {
  readonly skill: string;
  readonly name: string;
  readonly command: Command;
}

/** The end of a call: the output of the command, or an error. */
export type CallEnd =
  | { readonly output: unknown }
  | { readonly code: string; readonly message: string; readonly pointer?: string };

/** Calls a command of a host over a surface. Throws if the surface gives a malformed answer. */
export type SurfaceCall = (test: TestHost, called: Called, input: unknown) => Promise<CallEnd>;

/** Calls over HTTP, and over MCP in the messages of standard input. */
export const SURFACE_CALLS: Readonly<Record<"http" | "mcp", SurfaceCall>> = { http: overHttp, mcp: overMcp };

/**
 * Runs every command with every example of its input over some surfaces: a call ends as it does in the process. The
 * output of a command that changes nothing is the same, except for texts that name calls in the terms of a surface.
 */
export function surfaceCases(
  tools: CaseTools,
  calls: Readonly<Partial<Record<SurfaceName, SurfaceCall>>>,
): Promise<readonly SkillCase[]> {
  const skill = tools.skill.manifest.name;
  const commands = Object.entries(tools.skill.manifest.commands ?? {});
  return casesOf(
    commands.map(([name, command]) => [
      `command ${name}`,
      () =>
        casesOfCommand(
          { skill, name, command },
          tools,
          Object.entries(calls) as [SurfaceName, SurfaceCall][],
        ),
    ]),
  );
}

async function casesOfCommand(
  called: Called,
  { schemas, open, skill: { folder } }: CaseTools,
  calls: readonly (readonly [SurfaceName, SurfaceCall])[],
): Promise<readonly SkillCase[]> {
  const { name, command } = called;
  const { examples = [] } = await schemas.document(command.input);
  const output = await schemas.document(command.output);
  const comparable = (value: unknown): unknown => withInstructions(value, output, output, () => "");
  return calls.flatMap(([surface, call]) =>
    (examples as readonly unknown[]).map((input, index): SkillCase => {
      const reason = reasonToSkip(surface, command);
      return {
        ...(reason !== undefined && { skip: reason }),
        title: `command ${name}: example ${index + 1} of its input ends over ${surface} as in the process`,
        run: async () => {
          await using test = await open();
          let isAsked = false;
          const secret = (): Promise<string> => {
            isAsked = true;
            throw new SkillError("CANCELLED", "Tests enter no secrets.");
          };
          const person = { columns: undefined, secret };
          const direct = await endOf(
            test.run({ skill: called.skill, command: name, input, surface, person }),
            folder,
          );
          if (isAsked) return "it asks the person for a secret";
          const isRepeated = command.effects?.readOnly === true;
          await using other = isRepeated ? undefined : await open();
          const over = await call(other ?? test, called, input);
          const isSame = isRepeated
            ? isDeepStrictEqual(comparable(valueIn(over)), comparable(valueIn(direct)))
            : codeIn(over) === codeIn(direct);
          if (!isSame)
            throw new Error(
              `${shown(input)} ends in ${shown(over)} over ${surface}, and in ${shown(direct)} in the process.`,
            );
          return undefined;
        },
      };
    }),
  );
}

/** The reason why a command is not called over a surface. An unknown command is reported when it is called. */
export function reasonToSkip(surface: SurfaceName, command: Command | undefined): string | undefined {
  if (!command) return undefined;
  if (!surfacesOf(command).includes(surface)) return `it is not offered over ${surface}`;
  if (command.keepsRunning) return "it runs until it is stopped";
  const { as = "tool" } = command.mcp ?? {};
  return surface === "mcp" && as !== "tool" ? `MCP offers it as a ${as}` : undefined;
}

function codeIn(end: CallEnd): string | undefined {
  return "code" in end ? end.code : undefined;
}

function valueIn(end: CallEnd): unknown {
  return "code" in end ? end.code : end.output;
}

/** The end of a call in the process. `folder`: that of the skill, whose file and line an unexpected failure names. */
export async function endOf(run: Promise<unknown>, folder: string): Promise<CallEnd> {
  try {
    return { output: await run };
  } catch (caught) {
    const error = asSkillError(caught);
    return { code: error.code, message: error === caught ? error.message : describedIn(folder, caught) };
  }
}

async function overHttp(test: TestHost, called: Called, input: unknown): Promise<CallEnd> {
  const { url } = await test.serve();
  return postCommand(test.host.ports.http, { url, headers: {} }, called, input);
}

/** Calls a command of a server. */
export async function postCommand(
  http: Http,
  { url, headers }: RunningServer,
  { skill, name }: Called,
  input: unknown,
): Promise<CallEnd> {
  const { status, body } = await http.send({
    method: "POST",
    url: `${url}/v1/skills/${skill}/commands/${name}`,
    body: JSON.stringify(input),
    headers: { ...headers, "content-type": "application/json" },
    timeoutMs: 60_000,
    maxBytes: 16_000_000,
  });
  const answer = jsonValue(body);
  if (status === 200) return { output: answer };
  return errorIn(answer, `the status ${status} and ${shown(answer)}`);
}

async function overMcp(
  { host }: TestHost,
  { skill, name, command }: Called,
  input: unknown,
): Promise<CallEnd> {
  const lines = new PassThrough();
  const messages: unknown[] = [];
  let arrived = (): void => undefined;
  const output = {
    write: (text: string, done: () => void): void => {
      for (const line of text.split("\n")) if (line !== "") messages.push(JSON.parse(line));
      done();
      arrived();
    },
  };
  const serving = serveMcp(host, { input: lines, output });
  const asked = async (id: number, method: string, params: object): Promise<unknown> => {
    lines.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    for (;;) {
      const answer = messages.find((one) => isObject(one) && one["id"] === id && !("method" in one));
      if (answer !== undefined) return answer;
      await new Promise<void>((resolve) => (arrived = resolve));
    }
  };
  try {
    await asked(1, "initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "skillctl-test", version: "1" },
    });
    lines.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    const tool = command.mcp?.name ?? `${skill}_${name}`;
    const answer = await asked(2, "tools/call", { name: tool, arguments: input });
    const { result } = isObject(answer) ? answer : {};
    const { structuredContent, isError, _meta } = isObject(result) ? result : {};
    if (structuredContent !== undefined && isError !== true) return { output: structuredContent };
    return errorIn(isObject(_meta) ? _meta["skillctl/error"] : undefined, shown(answer));
  } finally {
    lines.end();
    await serving;
  }
}

/** @throws Error for an answer that is not an error of a command */
function errorIn(answer: unknown, what: string): CallEnd {
  const { code, message, detail, pointer } = isObject(answer) ? answer : {};
  if (typeof code === "string")
    return { code, message: String(message ?? detail), ...(typeof pointer === "string" && { pointer }) };
  throw new Error(`The surface answers with ${what}.`);
}
