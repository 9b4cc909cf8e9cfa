/** The entry point for agent loops: the commands of a host as tools of the Vercel AI SDK, the Anthropic SDK and the OpenAI SDK. */
import { inTermsOf, outputInTermsOf } from "./called-commands.ts";
import type { CommandEntry, ServedSkills } from "./catalog.ts";
import type { Host, HostRequest } from "./composition.ts";
import { errorText, shown, termsOf } from "./surfaces/mcp/tool-terms.ts";
import { Tools } from "./surfaces/mcp/tools.ts";

/** Names that all providers accept. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Options for the tools of a host. Without `session` each call stands alone. Without `approve` and `person` a call whose rule asks
 * is refused. A `progress` function receives the sentences of progress and announcements.
 */
export interface ToolOptions extends Pick<HostRequest, "approve" | "person" | "progress" | "session"> {
  /** The skills that are served. Default: all. The others still lend ports, and their rules hold. */
  readonly skills?: ServedSkills;
}

/** The input schema of a tool in the form of Standard Schema. `validate` accepts any value, since a call checks its input. */
export interface AiInputSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "skillctl";
    readonly validate: (input: unknown) => { readonly value: unknown };
    readonly jsonSchema: Readonly<Record<"input" | "output", () => Record<string, unknown>>>;
  };
}

/** A tool of the Vercel AI SDK. */
export interface AiTool {
  readonly description: string;
  readonly inputSchema: AiInputSchema;
  /** Runs the command and returns its output. @throws Error whose message is for the model: code, sentence and hint */
  readonly execute: (
    input: unknown,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<unknown>;
  /** The text for the model: that of the command line, else JSON. */
  readonly toModelOutput: (result: { readonly output: unknown }) => {
    readonly type: "text";
    readonly value: string;
  };
}

/** A tool of the tool runner of the Anthropic SDK. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: { type: "object"; [keyword: string]: unknown };
  readonly parse: (input: unknown) => unknown;
  /** Runs the command and returns the text for the model. @throws Error whose message is for the model: code, sentence and hint */
  readonly run: (
    input: unknown,
    context?: { readonly signal?: AbortSignal | null | undefined },
  ) => Promise<string>;
}

/** A tool for `runTools` of the OpenAI SDK. */
export interface OpenAiTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
    readonly parse: (input: string) => object;
    /** Runs the command and returns the text for the model; after an error its code, sentence and hint. */
    readonly function: (
      input: object,
      runner?: { readonly controller: { readonly signal: AbortSignal } },
    ) => Promise<string>;
  };
}

/**
 * Returns the tools of a host by name, for `generateText` and the other functions of the Vercel AI SDK.
 * @throws SkillError `UNKNOWN_SKILL` for a name in `skills` that no hosted skill has.
 */
export async function aiTools(host: Host, options: ToolOptions = {}): Promise<Record<string, AiTool>> {
  const tools = await calledTools(host, options);
  return Object.fromEntries(
    tools.map(({ name, description, schema, call, textOf }) => [
      name,
      {
        description,
        inputSchema: inputSchemaOf(schema),
        execute: (input, { abortSignal } = {}) => call(input, abortSignal),
        toModelOutput: ({ output }) => ({ type: "text", value: textOf(output) }),
      },
    ]),
  );
}

/**
 * Returns the tools of a host for `client.beta.messages.toolRunner` of the Anthropic SDK.
 * @throws SkillError `UNKNOWN_SKILL` for a name in `skills` that no hosted skill has.
 */
export async function anthropicTools(host: Host, options: ToolOptions = {}): Promise<AnthropicTool[]> {
  const tools = await calledTools(host, options);
  return tools.map(({ name, description, schema, call, textOf }) => ({
    name,
    description,
    input_schema: schema,
    parse: (input) => input,
    run: async (input, { signal } = {}) => textOf(await call(input, signal)),
  }));
}

/**
 * Returns the tools of a host for `client.chat.completions.runTools` of the OpenAI SDK.
 * @throws SkillError `UNKNOWN_SKILL` for a name in `skills` that no hosted skill has.
 */
export async function openaiTools(host: Host, options: ToolOptions = {}): Promise<OpenAiTool[]> {
  const tools = await calledTools(host, options);
  return tools.map(({ name, description, schema, call, textOf }) => ({
    type: "function",
    function: {
      name,
      description,
      parameters: schema,
      parse: (input) => (input === "" ? {} : (JSON.parse(input) as object)),
      // A thrown error would end the loop.
      function: (input, runner) =>
        call(input, runner?.controller.signal).then(textOf, ({ message }: Error) => message),
    },
  }));
}

/** A command as a tool. */
interface CalledTool {
  readonly name: string;
  readonly description: string;
  readonly schema: { type: "object"; [keyword: string]: unknown };
  /** Runs the command and returns its output. @throws Error for the model */
  readonly call: (input: unknown, signal: AbortSignal | null | undefined) => Promise<unknown>;
  /** The text of an output for the model. */
  readonly textOf: (output: unknown) => string;
}

async function calledTools(host: Host, { skills, ...request }: ToolOptions): Promise<readonly CalledTool[]> {
  const catalog = host.catalog.served(skills);
  const tools = new Tools(host, catalog, "mcp");
  const surface = termsOf(host, catalog);
  const run = async (entry: CommandEntry, input: unknown, signal: AbortSignal | undefined) => {
    const { skill, name: command } = entry;
    const announce = request.progress ? { announce: request.progress } : {};
    const called = { ...request, ...announce, surface: "mcp", skill, command, input } as const;
    try {
      const output = await host.run({ ...called, ...(signal && { signal }) });
      return await outputInTermsOf(surface, entry, entry.command.output, output);
    } catch (cause) {
      throw new Error(errorText(await inTermsOf(surface, entry, cause), host, entry), { cause });
    }
  };
  return (await tools.list()).flatMap(({ name, description = "", inputSchema }) => {
    const entry = tools.find(name);
    if (!entry || !NAME.test(name)) {
      host.ports.log.notice(
        `${name} is not a valid tool name: providers accept names of at most 64 letters, digits, _ and -.`,
      );
      return [];
    }
    return {
      name,
      description,
      schema: inputSchema,
      call: (input, signal) => run(entry, input, signal ?? undefined),
      textOf: (output) => shown(entry.command, output).text,
    };
  });
}

function inputSchemaOf(schema: CalledTool["schema"]): AiInputSchema {
  // The SDK adds to the document.
  const document = (): Record<string, unknown> => structuredClone(schema);
  return {
    "~standard": {
      version: 1,
      vendor: "skillctl",
      validate: (value) => ({ value }),
      jsonSchema: { input: document, output: document },
    },
  };
}
