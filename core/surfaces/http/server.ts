import type { FastifyInstance } from "fastify";
import type { RouteEntry } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { OpenServer, ServerOptions } from "../../ports/server.ts";
import { descriptorLimit } from "../../adapters/descriptor-limit.ts";
import { Access, type AccessOptions } from "./access.ts";
import { AddressBook } from "./address-book.ts";
import { bodyParser, gatedApp } from "./app.ts";
import { NDJSON_TYPE, readNdjson } from "./body.ts";
import { commandEndpoint, isServed, type Serving } from "./command-endpoint.ts";
import { Connections } from "./connections.ts";
import { Endless } from "./endless.ts";
import { MAX_CONNECTIONS, SPARE_DESCRIPTORS } from "./limits.ts";
import { GUARD_PATH, guardEndpoint } from "./guard-endpoint.ts";
import { checkOptions, listen } from "./listen.ts";
import { openApiDocument } from "./openapi.ts";
import type { HttpServerOptions } from "./options.ts";
import { ParserErrors } from "./parser-error.ts";
import { Problems } from "./problem.ts";
import { RawEndpoint } from "./raw-endpoint.ts";
import { sendJson, sendText } from "./reply.ts";
import { routeEndpoint } from "./route-endpoint.ts";

export type { HttpServerOptions } from "./options.ts";

/**
 * Serves a host: its commands, the contributed routes of all skills under `/<skill>`, `/v1/guard`, `/health`, `/openapi.json`.
 * No code of a skill is loaded before its first request.
 * @throws SkillError `USAGE` for options that would open up by accident, `ADDRESS_IN_USE`.
 */
export async function openHttpServer(host: Host, options: HttpServerOptions = {}): Promise<OpenServer> {
  return opened(host, options, new AddressBook(host.catalog), (app, serving, book) => {
    addCommands(app, serving, book);
    addRoutes(app, serving, book, host.catalog.routes(), ({ skill }) => `/${skill}`);
    addGuard(app, host, book);
    addHealth(app, host, book);
    addDocument(app, host, book);
  });
}

/**
 * Serves the named routes of one skill at their own paths and aliases and nothing else.
 * @throws SkillError `NOT_FOUND` for a route that the manifest does not name, `USAGE` for options that would open up by
 * accident, `ADDRESS_IN_USE`.
 */
export async function openSkillServer(
  host: Host,
  skill: string,
  options: ServerOptions,
): Promise<OpenServer> {
  const own = host.catalog.routes().filter((entry) => entry.skill === skill);
  const entries = options.routes.map((name) => {
    const entry = own.find((one) => one.name === name);
    if (entry) return entry;
    throw new SkillError("NOT_FOUND", `${skill} has no route "${name}".`, {
      hint: `Its routes: ${own.map((one) => one.name).join(", ") || "none"}.`,
    });
  });
  return opened(host, { ...options, ofSkill: true }, new AddressBook(), (app, serving, book) => {
    addRoutes(app, serving, book, entries, () => "");
  });
}

type OpenOptions = AccessOptions &
  Pick<ServerOptions, "port" | "problemBody" | "requestBegan" | "requestEnded">;

async function opened(
  host: Host,
  options: OpenOptions,
  addresses: AddressBook,
  fill: (app: FastifyInstance, serving: Serving, book: AddressBook) => void,
): Promise<OpenServer> {
  checkOptions(options);
  const problems = new Problems(host.catalog, host.ports.log, options.problemBody);
  const connections = new Connections(mostConnections());
  const { requestBegan, requestEnded } = options;
  const app = gatedApp({
    access: new Access(options),
    addresses,
    connections,
    parserErrors: new ParserErrors(connections, problems),
    problems,
    requestBegan,
    requestEnded,
  });
  const serving: Serving = { host, problems, endless: new Endless() };
  fill(app, serving, addresses);
  const { addresses: ownAddresses } = host.ports.environment;
  return listen(app, connections, { ...options, addresses: ownAddresses }, () => serving.endless.close());
}

/** Some descriptors are left to the rest of the program, so that accepting connections never fails for want of one. */
function mostConnections(): number {
  const limit = descriptorLimit();
  return Math.min(MAX_CONNECTIONS, limit - Math.min(SPARE_DESCRIPTORS, limit / 2));
}

function addCommands(app: FastifyInstance, serving: Serving, book: AddressBook): void {
  for (const entry of serving.host.catalog.commands("http").filter(isServed)) {
    const url = `/v1/skills/${entry.skill}/commands/${entry.name}`;
    book.enter("POST", url);
    app.post(url, { config: { skill: entry.skill } }, commandEndpoint(serving, entry));
  }
}

function addRoutes(
  app: FastifyInstance,
  serving: Serving,
  book: AddressBook,
  entries: readonly RouteEntry[],
  baseOf: (entry: RouteEntry) => string,
): void {
  // A context of its own: only contributed routes read one document a line.
  app.register(async (routes) => {
    routes.addContentTypeParser(NDJSON_TYPE, { parseAs: "buffer" }, bodyParser(readNdjson));
    for (const entry of entries) {
      const { skill, name, route } = entry;
      const { method, collects, keyless } = route;
      const endpoint = route.raw ? new RawEndpoint(serving, entry) : undefined;
      const handler = endpoint ? undefined : routeEndpoint(serving, entry);
      for (const path of [route.path, ...(route.aliases ?? [])]) {
        const url = baseOf(entry) + path;
        if (!book.enter(method, url, { collects, keyless, endpoint }))
          serving.host.ports.log.notice(
            `The route ${name} of ${skill} is left out: ${method} ${url} is taken.`,
          );
        else if (handler) routes.route({ method, url, config: { skill }, handler });
      }
    }
  });
}

function addGuard(app: FastifyInstance, host: Host, book: AddressBook): void {
  book.enter("POST", GUARD_PATH);
  app.post(GUARD_PATH, guardEndpoint(host));
}

function addHealth(app: FastifyInstance, host: Host, book: AddressBook): void {
  const { skills, faults } = host.catalog;
  const names = skills.map(({ manifest }) => manifest.name);
  book.enter("GET", "/health", { keyless: true });
  app.get("/health", (_request, reply) =>
    sendJson(reply, 200, { status: "ok", version: host.version, skills: names, faults: faults.length }),
  );
}

function addDocument(app: FastifyInstance, host: Host, book: AddressBook): void {
  let text: Promise<string> | undefined;
  const forget = (caught: unknown): never => {
    text = undefined;
    throw caught;
  };
  const written = async (): Promise<string> => {
    const { document, whole } = await openApiDocument(host);
    // What was left out may be mended by the next request.
    if (!whole) text = undefined;
    return JSON.stringify(document);
  };
  book.enter("GET", "/openapi.json");
  app.get("/openapi.json", async (_request, reply) => {
    text ??= written().catch(forget);
    return sendText(reply, 200, await text, "application/json; charset=utf-8");
  });
}
