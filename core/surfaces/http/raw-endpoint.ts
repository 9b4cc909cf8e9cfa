import type { ServerResponse } from "node:http";
import type { RouteEntry } from "../../catalog.ts";
import type { SkillError } from "../../errors/skill-error.ts";
import type { RawBody, RouteHandler, RouteReply } from "../../plugin.ts";
import { answerOf, type Answer } from "./answer.ts";
import type { Serving } from "./command-endpoint.ts";
import { ContributedRoute } from "./contributed-route.ts";
import { answerLast } from "./last-answer.ts";
import { NO_SNIFFING, RawAnswers } from "./raw-answer.ts";
import { RawBodies } from "./raw-body.ts";
import { queryOf, RawRequest, type Admitted } from "./raw-request.ts";
import { sendParts } from "./reply.ts";
import { isStream, type Parts } from "./stream-reply.ts";

/**
 * Answers a contributed route whose manifest entry says `raw`, without the router and with as little between as can
 * be: every event comes this way. The handler gets the body as it came; all else is as with other routes, except that
 * rules see the query as `input`.
 */
export class RawEndpoint {
  readonly #serving: Serving;
  readonly #entry: RouteEntry;
  readonly #place: string;
  #planned: Promise<ContributedRoute> | undefined;
  #route: ContributedRoute | undefined;
  /** What no query at all comes to. */
  #noQuery: unknown;
  readonly #answers = new RawAnswers();
  readonly #bodies = new RawBodies();

  constructor(serving: Serving, entry: RouteEntry) {
    this.#serving = serving;
    this.#entry = entry;
    this.#place = `${entry.skill} ${entry.name}`;
  }

  answer(admitted: Admitted): void {
    const told = (body: RawBody): void => {
      const route = this.#route;
      // Once all is at hand there is no async function between: two of them cost a tenth of a small request.
      if (route?.handler && !route.hasRules) this.#handle(route, route.handler, admitted, body);
      else void this.#prepare(admitted, body);
    };
    const refused = (error: SkillError): void => this.#fail(admitted, error);
    this.#bodies.read(admitted, { told, refused });
  }

  async #prepare(admitted: Admitted, body: RawBody): Promise<void> {
    try {
      const route = (this.#route ??= await this.#plan());
      if (route.hasRules) await route.judge(this.#query(route, admitted));
      this.#handle(route, route.handler ?? (await route.opened()), admitted, body);
    } catch (caught) {
      this.#fail(admitted, caught);
    }
  }

  async #plan(): Promise<ContributedRoute> {
    this.#planned ??= ContributedRoute.planned(this.#serving.host, this.#entry);
    try {
      return await this.#planned;
    } catch (caught) {
      this.#planned = undefined;
      throw caught;
    }
  }

  #handle(
    route: ContributedRoute,
    handler: RouteHandler<unknown, unknown>,
    admitted: Admitted,
    body: RawBody,
  ): void {
    try {
      const asked = new RawRequest(admitted, this.#query(route, admitted), body);
      handler.handle(asked).then(
        (reply) => this.#succeed(route, admitted, asked, reply),
        (caught) => this.#fail(admitted, caught),
      );
    } catch (caught) {
      this.#fail(admitted, caught);
    }
  }

  #query(route: ContributedRoute, { request }: Admitted): unknown {
    const url = request.url as string;
    if (url.includes("?")) return route.query(queryOf(url));
    return (this.#noQuery ??= Object.freeze(route.query({})));
  }

  #succeed(route: ContributedRoute, admitted: Admitted, asked: RawRequest, reply: RouteReply): void {
    try {
      const right = route.checked(reply);
      if (isStream(right.body)) this.#stream(admitted, asked, right, right.body);
      else send(admitted.response, this.#answers.of(right, admitted.shared));
    } catch (caught) {
      this.#fail(admitted, caught);
    }
  }

  #stream({ response, shared }: Admitted, { caller }: RawRequest, reply: RouteReply, parts: Parts): void {
    const { problems, endless } = this.#serving;
    const failed = (caught: unknown): void =>
      problems.note(caught, `${this.#place}: the stream was broken off`);
    endless.add(caller);
    const headers = { ...reply.headers, ...pairs(shared) };
    void sendParts(response, { status: reply.status, headers }, parts, {
      failed,
      signal: caller.signal,
    }).then(() => endless.delete(caller));
  }

  #fail({ response, shared }: Admitted, caught: unknown): void {
    const { problems } = this.#serving;
    const problem = problems.of(caught, this.#place, this.#entry.skill);
    const headers = ["Content-Type", problems.type, ...NO_SNIFFING, ...shared];
    send(response, answerOf(problem.status, headers, problems.text(problem)));
  }
}

function send(response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  // Of a body over the limit the rest is still coming.
  if (!response.req.readableEnded) return answerLast(response, answer);
  const { status, headers, text } = answer;
  response.writeHead(status, headers as string[]);
  response.end(text);
}

function pairs(lines: readonly string[]): Readonly<Record<string, string>> {
  const record: Record<string, string> = {};
  for (let index = 0; index < lines.length; index += 2)
    record[lines[index] as string] = lines[index + 1] as string;
  return record;
}
