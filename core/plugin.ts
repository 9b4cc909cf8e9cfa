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

/** The surface that a request comes through. `host` is an embedder in process. */
export type SurfaceName = "cli" | "http" | "mcp" | "host";

/** The context of a request, besides its input. */
export interface Call {
  readonly surface: SurfaceName;
  /** Aborted when the caller disconnects or presses Ctrl-C. Created by the surface and passed down. */
  readonly signal: AbortSignal;
  /** Reports progress to the caller in one affirmative sentence. Surfaces may omit it. */
  readonly progress: (sentence: string) => void;
  /** Shows one block of text before a long-running command ends. */
  readonly announce: (text: string) => void;
  /** Identifies a conversation of several calls: an HTTP or MCP session. */
  readonly session?: string;
  /** The person who can be asked during the call. Missing if the surface cannot ask. */
  readonly person?: Person;
  /** The client, if the surface is MCP or `/mcp`. */
  readonly client?: McpClient;
}

/** A client of MCP, and the requests that it answers: `elicitation/create`, `sampling/createMessage`, `roots/list`. */
export interface McpClient {
  readonly answers: (method: string) => boolean;
  /**
   * Sends a request and returns its result. The command is run again from its start with the result, so send requests before
   * any side effect, and those that belong together at once. `name` is unique within the command.
   * @throws SkillError `CANCELLED` while there is no result. A client that does not answer the method ends the call with -32021.
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

/** A question with options in display order. */
export interface Choice {
  readonly text: string;
  readonly options: readonly ChoiceOption[];
}

export interface ChoiceOption {
  /** The answer: short and unique within the question, such as `A`. */
  readonly value: string;
  /** The text of the option. */
  readonly label: string;
}

/** Handles one command. Created once a host, on first use; the constructor does no work. */
export interface CommandHandler<Input, Output> {
  readonly run: (input: Input, call: Call) => Promise<Output>;
  /** Values of enums of the input that have no data at present, where the manifest says `inputVaries`. A call may still give them. */
  readonly absent?: () => Promise<readonly string[]>;
}

/** A request to a contributed route, validated against its schemas. Header names are in lower case. */
export interface RouteRequest<Query, Body> {
  /** The requested path as sent, without its query; tells the aliases of a route apart. */
  readonly path: string;
  readonly query: Query;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
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

/**
 * `body` fits the schema that the manifest names for `status`. A string is sent unchanged. An
 * `AsyncIterable<string | Uint8Array>` is streamed; when the client disconnects or the server closes, the request's
 * `signal` is aborted and the iterator's `return()` is called. Nothing is sent before the first part, which may be empty.
 * If the iterator throws, the connection is reset, so that the client sees that the response is incomplete. The schema of
 * a stream is documentation only.
 */
export interface RouteReply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Handles one contributed route. */
export interface RouteHandler<Query, Body> {
  readonly handle: (request: RouteRequest<Query, Body>) => Promise<RouteReply>;
}

/** The event at which a rule is evaluated. */
export type GuardEvent = GuardRequest["event"];

/** The request that a rule judges: `core/guard-request`, flat, so that `when` can be a JSON Schema over it. */
export interface Subject extends Readonly<Omit<GuardRequest, "input" | "output">> {
  readonly input?: unknown;
  readonly output?: unknown;
}

/** The decision of a rule. In order of strictness: allow, warn, transform, ask, deny. */
export type Decision = GuardDecision["decision"];

/** The result of a rule. `message` is for the person, `agentMessage` for the model (default: `message`). */
export interface Verdict {
  readonly decision: Decision;
  readonly message?: string;
  readonly agentMessage?: string;
  /** transform: replaces the subject's input. It must fit the command's schema. */
  readonly input?: unknown;
}

/** Handles a rule that needs state. All other rules are data in the manifest. */
export interface RuleHandler {
  readonly judge: (subject: Subject) => Promise<Verdict> | Verdict;
}

/** Binds a plugin's own services, and the ports it provides, in the plugin's scope. It cannot resolve services. */
export interface Wiring {
  /** Binds an existing object. The scope does not close it. */
  readonly value: <T>(token: Token<T>, value: T) => void;
  /** Binds a class: created once, on first use; closed with the scope if it has `close` or `[Symbol.asyncDispose]`. */
  readonly single: <T>(token: Token<T>, service: Constructor<T>) => void;
}

/** The shape of generated `contract.ts` files: the names of a manifest and their types. */
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
  readonly wire?: (wiring: Wiring) => void;
  readonly commands: {
    readonly [Name in keyof Contract["commands"]]: CommandClass<Contract["commands"][Name]>;
  };
  readonly routes: { readonly [Name in keyof Contract["routes"]]: RouteClass<Contract["routes"][Name]> };
  /** Only the rules whose manifest entry has no fixed decision. */
  readonly rules: { readonly [Name in Contract["rules"]]: Constructor<RuleHandler> };
}

/** Types a plugin; the compiler reports missing, extra and wrongly typed handlers. */
export function definePlugin<Contract extends PluginContract>(plugin: Plugin<Contract>): Plugin<Contract> {
  return plugin;
}
