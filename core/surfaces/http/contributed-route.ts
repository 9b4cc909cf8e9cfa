import type { RouteEntry } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { GuardPlan } from "../../guard.ts";
import { refuse } from "../../guard/refuse.ts";
import type { RouteHandler, RouteReply } from "../../plugin.ts";
import type { Check } from "../../schema/schemas.ts";
import { queryReader, type QueryReader } from "./query.ts";
import { isStream } from "./stream-reply.ts";

/** A reply that is longer is not kept to be compared with the next one. */
const MOST_KEPT = 256;

/**
 * A contributed route, ready to answer: what its manifest and schemas say about a query, a body and a reply, the rules
 * that hear it, and its handler, which is made on first need.
 */
export class ContributedRoute {
  readonly entry: RouteEntry;
  readonly query: QueryReader;
  readonly hasRules: boolean;
  /** Made by `opened`. */
  handler: RouteHandler<unknown, unknown> | undefined;
  readonly #host: Host;
  readonly #body: Check | undefined;
  readonly #replies: ReadonlyMap<number, Check>;
  readonly #rules: GuardPlan;
  #lastRight: RouteReply | undefined;

  private constructor(
    host: Host,
    entry: RouteEntry,
    parts: {
      readonly query: QueryReader;
      readonly body: Check | undefined;
      readonly replies: ReadonlyMap<number, Check>;
      readonly rules: GuardPlan;
    },
  ) {
    this.#host = host;
    this.entry = entry;
    this.query = parts.query;
    this.hasRules = parts.rules.length > 0;
    this.#body = parts.body;
    this.#replies = parts.replies;
    this.#rules = parts.rules;
  }

  /** Reads the schemas of a route. Loads no code. @throws SkillError `SCHEMA_INVALID`. */
  static async planned(host: Host, entry: RouteEntry): Promise<ContributedRoute> {
    const { skill, route } = entry;
    const replies = new Map<number, Check>();
    for (const [status, name] of Object.entries(route.replies))
      replies.set(Number(status), await host.schemas.check(name));
    return new ContributedRoute(host, entry, {
      query: await queryReader(host.schemas, route.query),
      body: route.body === undefined || route.raw ? undefined : await host.schemas.check(route.body),
      replies,
      rules: host.guard.plan("route.request", skill),
    });
  }

  get hasBody(): boolean {
    return this.#body !== undefined;
  }

  /** @throws SkillError `INPUT_INVALID` for a body that does not fit. */
  checkBody(body: unknown): void {
    if (!this.#body) return;
    if (body === undefined)
      throw new SkillError("INPUT_INVALID", "The request has no body.", { pointer: "" });
    const fault = this.#body(body);
    if (!fault) return;
    const sentence = fault.sentence.replace(/^The value/, "The body");
    throw new SkillError("INPUT_INVALID", sentence, {
      pointer: fault.pointer,
      hint: "The body's schema is in /openapi.json.",
    });
  }

  /** Asks the rules. @throws SkillError `GUARD_DENIED`, `GUARD_ASKS`, `GUARD_FAILED`. */
  async judge(input: unknown): Promise<void> {
    const { skill, name } = this.entry;
    const judgement = await this.#host.guard.judge(this.#rules, {
      event: "route.request",
      surface: "http",
      skill,
      name,
      input,
    });
    for (const { rule, decision, message } of judgement.findings) {
      if (decision === "warn") this.#host.ports.log.detail(`${rule}: ${message}`);
    }
    refuse(judgement);
  }

  /** The handler, made on first need. */
  async opened(): Promise<RouteHandler<unknown, unknown>> {
    return (this.handler ??= await this.#host.activator.route(this.entry.skill, this.entry.name));
  }

  /**
   * @throws SkillError `OUTPUT_INVALID` for a status that the manifest does not name, or a body that does not fit. A
   * stream is not read here, so that it always fits.
   */
  checked(reply: RouteReply): RouteReply {
    const { status, body } = reply;
    const last = this.#lastRight;
    if (last?.status === status && last.body === body) return reply;
    const check = this.#replies.get(status);
    const fault = check
      ? isStream(body)
        ? undefined
        : check(body ?? null)
      : { sentence: `it names no reply of status ${status}.` };
    if (fault) {
      const { skill, name } = this.entry;
      const sentence = `The route ${name} of ${skill} answered what its manifest does not allow: ${fault.sentence}`;
      throw new SkillError("OUTPUT_INVALID", sentence);
    }
    if (typeof body === "string" && body.length <= MOST_KEPT) this.#lastRight = reply;
    return reply;
  }
}
