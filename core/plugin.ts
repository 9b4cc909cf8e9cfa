import type { Token } from "./container/token.ts";
import type { Constructor } from "./container/inject.ts";
import type { GuardDecision, GuardRequest } from "./contract.ts";

declare global {
  /** The members that every platform has, so that the package's types need neither those of Node nor of a browser. */
  interface AbortSignal {
    readonly aborted: boolean;
    throwIfAborted(): void;
  }
}

/**
 * The surface of a request: the command line, HTTP (its `/mcp` and tasks included), MCP over standard input and output and
 * the tools of `skillctl/ai`, or an embedder in process.
 */
export type SurfaceName = "cli" | "http" | "mcp" | "host";

/** The context of one call of a command, besides its input. */
export interface Call {
  readonly surface: SurfaceName;
  /** Aborted when the caller disconnects, cancels or presses Ctrl-C. Pass it to every operation that takes one. */
  readonly signal: AbortSignal;
  /** Reports progress to the caller in one affirmative sentence. A surface may leave it out, and a slow reader misses some. */
  readonly progress: (sentence: string) => void;
  /** Shows a block of text to the caller before the command ends, such as the address of a server that it has opened. */
  readonly announce: (text: string) => void;
  /**
   * Identifies a conversation of several calls: the header `Skillctl-Session`, an MCP session, or the `session` of an
   * embedder. 1 to 128 of the characters `A-Z a-z 0-9 . _ -` over HTTP. Missing at the command line.
   */
  readonly session?: string;
  /** The person who can be asked during the call. Missing if the surface cannot ask. */
  readonly person?: Person;
  /** The client, if the surface is MCP or `/mcp`. */
  readonly client?: McpClient;
}

/** A client of MCP, and the requests that it answers: `elicitation/create`, `sampling/createMessage`, `roots/list`. */
export interface McpClient {
  /** Whether the client answers requests of this method. */
  readonly answers: (method: string) => boolean;
  /**
   * Sends a request and returns its result. The command is run again from its start with the result, so send requests before
   * any side effect, and those that belong together at once. `name` is unique within the command.
   * @throws SkillError `CANCELLED` while there is no result. If the client does not answer the method, the call ends with the
   * MCP error -32021.
   */
  readonly request: (name: string, method: string, params: object) => Promise<unknown>;
}

/** The person at the terminal or client. */
export interface Person {
  /** Width of the terminal in columns; `undefined` if the output does not go to a terminal. */
  readonly columns: number | undefined;
  /** Whether the command's result is shown on the terminal and not passed to a program. Default: false. */
  readonly seesResult?: boolean;
  /**
   * Reads one line without echo; if standard input is not a terminal, all of it. The line is never part of a command's
   * input. At most 64 KiB.
   * @throws SkillError `USAGE` if it is longer, `CANCELLED`.
   */
  readonly secret: (question: string) => Promise<string>;
  /**
   * Asks for one of several options; returns its `value`. Missing if the surface cannot offer a choice: the caller then
   * shows the question as text. Through MCP the command is run again from its start with the answer, so ask before any
   * side effect.
   * @throws SkillError `CANCELLED` if no option was chosen.
   */
  readonly choose?: (question: Choice) => Promise<string>;
}

/** A question to a person. */
export interface Choice {
  readonly text: string;
  /** In display order. */
  readonly options: readonly ChoiceOption[];
}

/** One of the options of a question. */
export interface ChoiceOption {
  /** The answer: short and unique within the question, such as `A`. */
  readonly value: string;
  /** The text of the option. */
  readonly label: string;
}

/** Handles one command. A host creates one instance on first use and calls it concurrently; the constructor does no work. */
export interface CommandHandler<Input, Output> {
  /**
   * `input` fits the input schema of the command, with the defaults of its top-level properties filled in (not for built-in skills). The result must fit the output schema;
   * otherwise the call ends with `OUTPUT_INVALID`. An error that is not a `SkillError` ends it with `INTERNAL`.
   */
  readonly run: (input: Input, call: Call) => Promise<Output>;
  /**
   * Returns values of enums of the input that have no data at present. Only called if the manifest says `inputVaries`. MCP
   * leaves these values out of the schema of the tool; a call may still give them.
   */
  readonly absent?: () => Promise<readonly string[]>;
}

/** A request to a contributed route, validated against its schemas. Header names are in lower case. */
export interface RouteRequest<Query, Body> {
  /** The requested path as sent, without its query; tells the aliases of a route apart. */
  readonly path: string;
  /** Fits the schema that the manifest names as `query`. */
  readonly query: Query;
  /** Fits the schema that the manifest names as `body`; a {@link RawBody} if the route is `raw`; otherwise `undefined`. */
  readonly body: Body;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Aborted when the client disconnects or the server closes. */
  readonly signal: AbortSignal;
}

/** The body of a request to a route whose manifest entry says `raw`, unparsed, whatever its content type. */
export interface RawBody {
  /**
   * At most 1 MiB. If the body is longer, its first 4,096 bytes, or none if `Content-Length` announced it. Empty without
   * a body.
   */
  readonly bytes: Uint8Array;
  /** False if the body is longer than 1 MiB; the handler then refuses it with `BODY_TOO_LARGE`. */
  readonly whole: boolean;
}

/** The reply of a route. */
export interface RouteReply {
  /** One of the statuses under `replies` of the route in the manifest. */
  readonly status: number;
  /**
   * A value that fits the schema of `status` and is sent as JSON; a string, sent unchanged; or an
   * `AsyncIterable<string | Uint8Array>`, which is streamed and not checked. Nothing of a stream is sent before its first
   * part, which may be empty. When the client disconnects or the server closes, the `signal` of the request is aborted and
   * the iterator's `return()` is called. If the iterator throws, the connection is reset, so that the client sees that the
   * response is incomplete.
   */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Handles one contributed route. A host creates one instance on first use and calls it concurrently. */
export interface RouteHandler<Query, Body> {
  /** An error that is not a `SkillError` is sent as `INTERNAL`, with status 500. */
  readonly handle: (request: RouteRequest<Query, Body>) => Promise<RouteReply>;
}

/** The event at which a rule is evaluated. */
export type GuardEvent = GuardRequest["event"];

/** The request that a rule judges, flat, so that the `when` of a rule can be a JSON Schema over it. */
export interface Subject extends Readonly<Omit<GuardRequest, "input" | "output">> {
  readonly input?: unknown;
  readonly output?: unknown;
}

/** The decision of a rule. In order of strictness: allow, warn, transform, ask, deny. */
export type Decision = GuardDecision["decision"];

/** The result of a rule. */
export interface Verdict {
  readonly decision: Decision;
  /** For the person. Default: `message` of the rule in the manifest, then `tell`. */
  readonly message?: string;
  /** For the model. Default: `agentMessage` of the rule, then `message`. */
  readonly agentMessage?: string;
  /** transform: replaces the subject's input. It must fit the command's schema. */
  readonly input?: unknown;
}

/** Handles a rule that needs state. All other rules are data in the manifest. */
export interface RuleHandler {
  /** Called if the request fits the `when` of the rule. An error, a late or a malformed verdict counts as a denial. */
  readonly judge: (subject: Subject) => Promise<Verdict> | Verdict;
}

/** Binds a plugin's own services, and the ports it provides, in the plugin's scope. It cannot resolve services. */
export interface Wiring {
  /** Binds an existing object. The scope does not close it. */
  readonly value: <T>(token: Token<T>, value: T) => void;
  /** Binds a class: created once, on first use; closed with the scope if it has `close` or `[Symbol.asyncDispose]`. */
  readonly single: <T>(token: Token<T>, service: Constructor<T>) => void;
}

/** The names of a manifest and their types, as `skillctl types` generates them. */
export interface PluginContract {
  readonly commands: object;
  readonly routes: object;
  readonly rules: string;
}

type CommandClass<T> = T extends { input: infer Input; output: infer Output }
  ? Constructor<CommandHandler<Input, Output>>
  : never;
type RouteClass<T> = T extends { query: infer Query; body: infer Body }
  ? Constructor<RouteHandler<Query, Body>>
  : never;

/** A plugin: one class for each name of its manifest, no more and no fewer. */
export interface Plugin<Contract extends PluginContract = PluginContract> {
  /** Called once, when the host opens the skill. */
  readonly wire?: (wiring: Wiring) => void;
  readonly commands: {
    readonly [Name in keyof Contract["commands"]]: CommandClass<Contract["commands"][Name]>;
  };
  readonly routes: { readonly [Name in keyof Contract["routes"]]: RouteClass<Contract["routes"][Name]> };
  /** Only the rules whose manifest entry has no fixed decision. */
  readonly rules: { readonly [Name in Contract["rules"]]: Constructor<RuleHandler> };
}

/** Returns the plugin unchanged; the compiler reports missing, extra and wrongly typed handlers. */
export function definePlugin<Contract extends PluginContract>(plugin: Plugin<Contract>): Plugin<Contract> {
  return plugin;
}
