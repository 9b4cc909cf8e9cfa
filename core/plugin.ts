import type { Token } from "./container/token.ts";
import type { Constructor } from "./container/inject.ts";
import type { GuardDecision, GuardRequest } from "./contract.ts";

declare global {
  /** As much of it as every platform has: the types of the package stand without those of Node or a browser. */
  interface AbortSignal {
    readonly aborted: boolean;
    throwIfAborted(): void;
  }
}

/** The surfaces a request can come through. `host` is an embedder calling in process. */
export type SurfaceName = "cli" | "http" | "mcp" | "host";

/** What a handler knows of the request beside its input. */
export interface Call {
  readonly surface: SurfaceName;
  /** Aborted when who asked has gone or pressed Ctrl-C. Made by the surface, passed on, never made below. */
  readonly signal: AbortSignal;
  /** A positive sentence about what is going on, for who waits. May be shown or not. */
  readonly progress: (sentence: string) => void;
  /** One block shown before the end, by a command that goes on running. */
  readonly announce: (text: string) => void;
  /** Names a conversation that the surface keeps over several calls: an HTTP or MCP session. */
  readonly session?: string;
  /** Who can be asked something meanwhile. Missing where nobody can. */
  readonly person?: Person;
}

/** Somebody who sits at the surface. */
export interface Person {
  /** The width of the terminal in columns; `undefined` when what is shown does not reach a terminal. */
  readonly columns: number | undefined;
  /** Whether the result of the command is shown on the terminal too, and not handed to a program. Default: it is not. */
  readonly seesResult?: boolean;
  /**
   * One line that is not shown while it is typed; where standard input is no terminal, all of it. No input of the
   * command ever holds it. At most 64 KiB.
   * @throws SkillError `USAGE` when it is longer, `CANCELLED`.
   */
  readonly secret: (question: string) => Promise<string>;
  /**
   * One of several options; answers its `value`. Missing where the surface has no way to ask for a choice: then who asks
   * shows the question as text. Through MCP the command is run again from its start with the answer, so that it has to be
   * asked before any effect.
   * @throws SkillError `CANCELLED` when nothing was chosen.
   */
  readonly choose?: (question: Choice) => Promise<string>;
}

/** A question with options, in the order in which they are shown. */
export interface Choice {
  readonly text: string;
  readonly options: readonly ChoiceOption[];
}

export interface ChoiceOption {
  /** What is answered: short, unique in the question, such as `A`. */
  readonly value: string;
  /** What is shown. */
  readonly label: string;
}

/** Does one command. Made once a host, on first use; its constructor does no work. */
export interface CommandHandler<Input, Output> {
  readonly run: (input: Input, call: Call) => Promise<Output>;
}

/** A request to a contributed route, checked against the route's schemas. Header names are in lower case. */
export interface RouteRequest<Query, Body> {
  /** The path that was asked for, as sent, without its query: of a route with aliases, which one. */
  readonly path: string;
  readonly query: Query;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly signal: AbortSignal;
}

/** The body of a request to a route whose manifest entry says `raw`: as it came, whatever its content type. */
export interface RawBody {
  /**
   * At most 1 MiB. Of a longer body its first 4,096 bytes, and nothing where its length was announced; without a body it is
   * empty.
   */
  readonly bytes: Uint8Array;
  /** False when the body is longer than 1 MiB; the handler then refuses it with `BODY_TOO_LARGE`. */
  readonly whole: boolean;
}

/**
 * `body` fits the schema that the manifest names for `status`. A string goes out as it is. An
 * `AsyncIterable<string | Uint8Array>` is sent as it comes, and ends when the caller has gone or the server closes:
 * `signal` of the request is aborted and `return()` of the iterator is called. Nothing goes out before the first part,
 * which may be empty. When the iterator throws, the connection is broken off, so that the reader can see that
 * something is missing. Of a stream the schema only tells readers: it is not checked.
 */
export interface RouteReply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers one contributed route. */
export interface RouteHandler<Query, Body> {
  readonly handle: (request: RouteRequest<Query, Body>) => Promise<RouteReply>;
}

/** When a rule is asked. */
export type GuardEvent = GuardRequest["event"];

/** What a rule judges: `core/guard-request`, flat, so that `when` can be a JSON Schema over it. */
export interface Subject extends Readonly<Omit<GuardRequest, "input" | "output">> {
  readonly input?: unknown;
  readonly output?: unknown;
}

/** What a rule decides, in the order of strictness: allow, warn, transform, ask, deny. */
export type Decision = GuardDecision["decision"];

/** What a rule says. `message` is for the person, `agentMessage` for the model (default: the message). */
export interface Verdict {
  readonly decision: Decision;
  readonly message?: string;
  readonly agentMessage?: string;
  /** transform: what takes the place of the subject's input. It has to fit the command's schema. */
  readonly input?: unknown;
}

/** A rule that needs state. Everything else is data in the manifest. */
export interface RuleHandler {
  readonly judge: (subject: Subject) => Promise<Verdict> | Verdict;
}

/** Binds a plugin's own services, and the ports it provides, in the plugin's scope. It can bind and not look up. */
export interface Wiring {
  /** Binds a finished object. It is not closed by the scope. */
  readonly value: <T>(token: Token<T>, value: T) => void;
  /** Binds a class: made once, on first need, closed with the scope when it has `close` or `[Symbol.asyncDispose]`. */
  readonly single: <T>(token: Token<T>, service: Constructor<T>) => void;
}

/** What generated `contract.ts` files state of a manifest: the names and the types behind them. */
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

/** Gives a plugin its type; the compiler then names a missing, superfluous or wrongly typed handler. */
export function definePlugin<Contract extends PluginContract>(plugin: Plugin<Contract>): Plugin<Contract> {
  return plugin;
}
