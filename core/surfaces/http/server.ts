import type { IncomingMessage } from "node:http";
import fastify, {
  type FastifyBodyParser,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import type { CallingSurface } from "../../called-commands.ts";
import type { Catalog, RouteEntry } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { OpenServer, ServerOptions } from "../../ports/server.ts";
import { Access, permissions, type AccessOptions } from "./access.ts";
import { Addresses, pathOf, type Address } from "./addresses.ts";
import { Answers, beforeTheBody } from "./answers.ts";
import { BodyReader, JSON_TYPE, MAX_BODY_BYTES } from "./body.ts";
import {
  COMMAND_PATH,
  commandEndpoint,
  EVENTS_PATH,
  runIn,
  sendJson,
  type EndpointContext,
} from "./command-endpoint.ts";
import { Connections, QUIET_MS } from "./connections.ts";
import { addDiscovery } from "./discovery.ts";
import { GUARD_PATH, HOOK_OPTIONS, HOOK_PATH, guardEndpoint, hookEndpoint } from "./guard-endpoint.ts";
import { listen } from "./listen.ts";
import { addMcp } from "./mcp-endpoint.ts";
import { addPage } from "./page-endpoint.ts";
import { checkOptions, type HttpServerOptions } from "./options.ts";
import { documentEndpoint } from "./openapi.ts";
import { HEADERS_TIMEOUT_MS, MAX_HEADER_BYTES, Problems, REQUEST_TIMEOUT_MS } from "./problem.ts";
import { routeEndpoint } from "./route-endpoint.ts";
import { addTasks } from "./task-endpoint.ts";

/** Interval for checking the time limits of requests, in milliseconds. */
const TIMEOUT_CHECK_MS = 2_000;
/** Idle connections are kept this long, in milliseconds. */
const KEEP_ALIVE_MS = 60_000;
const POLICY = "content-security-policy";
const SANDBOX = "sandbox allow-scripts allow-popups allow-downloads";
declare module "fastify" {
  interface FastifyContextConfig extends Address {}
}

/**
 * Serves a host: the start page at `/`, its commands, the contributed routes of the skills under `/<skill>`, `/mcp`, `/v1/guard`,
 * `/v1/hook/claude-code`, `/health` and `/openapi.json`. The code of a skill is loaded with its first request.
 * @throws SkillError `USAGE` for options that would expose the server by accident, `UNKNOWN_SKILL` for a name in `skills` that no
 * hosted skill has, `ADDRESS_IN_USE`.
 */
export async function openHttpServer(host: Host, options: HttpServerOptions = {}): Promise<OpenServer> {
  const catalog = host.catalog.served(options.skills);
  return opened(host, { ...options, catalog }, (app, serving) => {
    const tasks = addTasks(app, serving, runIn(serving));
    for (const path of [COMMAND_PATH, EVENTS_PATH]) app.post(path, commandEndpoint(serving, tasks));
    addRoutes(app, serving, catalog.routes(), ({ skill }) => `/${skill}`);
    app.post(GUARD_PATH, guardEndpoint(host));
    app.post(HOOK_PATH, HOOK_OPTIONS, hookEndpoint(host));
    addMcp(app, options.tools === "compact", serving);
    addDiscovery(app, serving);
    addPage(app, serving);
    const { skills, faults } = catalog;
    const names = skills.map(({ manifest }) => manifest.name);
    const health = { status: "ok", version: host.version, skills: names, faults: faults.length };
    app.get("/health", { config: { keyless: true } }, async (_request, reply) =>
      sendJson(reply, 200, health),
    );
    app.get("/openapi.json", documentEndpoint(host, catalog, Boolean(options.key)));
  });
}

/**
 * Serves the named routes of one skill at their own paths and aliases only.
 * @throws SkillError `NOT_FOUND` for an unknown route, `USAGE` for options that would expose the server by accident,
 * `ADDRESS_IN_USE`.
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
  return opened(host, { ...options, catalog: host.catalog, ofSkill: true }, (app, serving) =>
    addRoutes(app, serving, entries, () => ""),
  );
}

type OpenOptions = AccessOptions &
  Pick<ServerOptions, "port" | "problemBody" | "requestBegan" | "requestEnded"> & {
    readonly catalog: Catalog;
  };

async function opened(
  host: Host,
  options: OpenOptions,
  fill: (app: FastifyInstance, serving: EndpointContext) => void,
): Promise<OpenServer> {
  checkOptions(options);
  const { ports } = host;
  const { catalog } = options;
  const problems = new Problems(catalog, ports.log, options.problemBody);
  const access = new Access(options);
  const addresses = new Addresses();
  const closing = new AbortController();
  const bodies = new BodyReader();
  const answers = new Answers();
  const app = newApp(problems);
  const { server } = app;
  // Headers are limited by size. With a count limit Node would silently drop the rest.
  server.maxHeadersCount = 0;
  // Simple HTTP clients end their side and keep reading. On other servers that counts as a disconnect and cancels the call.
  Object.assign(server, { httpAllowHalfOpen: options.ofSkill === true });
  const connections = new Connections(server);
  const { requestBegan, requestEnded } = options;
  server.on("request", (request, response) => {
    requestBegan?.();
    response.once("close", () => {
      bodies.release(request);
      answers.release(response);
      requestEnded?.();
    });
  });
  server.on("checkContinue", (request, response) => {
    bodies.expect(request, response);
    server.emit("request", request, response);
  });
  server.once("listening", () => access.listensOn((server.address() as { readonly port: number }).port));

  const gate = (request: FastifyRequest, reply: FastifyReply): SkillError | undefined => {
    const { raw, query, method, url } = request;
    const announced = raw.headers["access-control-request-method"];
    const preflight = method === "OPTIONS" && announced !== undefined;
    const address = preflight ? addresses.at(pathOf(url)).get(announced) : request.routeOptions?.config;
    const asking = { raw, query, address };
    const shared = access.sharing(asking);
    reply.header("x-content-type-options", "nosniff");
    if (shared) reply.headers(shared);
    const refusal = access.refusal(asking);
    if (refusal) return refusal;
    if (preflight && shared?.["access-control-allow-origin"] !== undefined) return undefined;
    return access.keyRefusal(asking);
  };
  const sendProblem = (caught: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { method, url, params } = request;
    const skill =
      request.routeOptions?.config?.skill ?? (params as { readonly skill?: string } | undefined)?.skill;
    problems.send(reply, caught, `${method} ${pathOf(url)}`, skill);
  };
  app.addHook("onRoute", ({ method, url, config }) => {
    for (const one of [method].flat()) if (one !== "OPTIONS") addresses.enter(one, url, config ?? {});
  });
  app.addHook("onRequest", (request, reply, done) => {
    const refusal = gate(request, reply);
    if (refusal) return done(refusal);
    if (request.is404) {
      const path = pathOf(request.url);
      const allow = [...addresses.at(path).keys()];
      if (allow.length > 0) reply.header("allow", allow.join(", "));
      const [, skill = ""] = path.split("/");
      return done(catalog.refusal(skill) ?? addresses.missing(request.method, path));
    }
    // The key is never passed to handlers.
    const query = request.query as { k?: unknown };
    if (query.k !== undefined && access.isKey(query.k)) delete query.k;
    done();
  });
  app.addHook("onSend", ({ raw, routeOptions }, reply, answer, done) => {
    // A page of a skill has no origin: it cannot use the cookie of the start page.
    if (!options.ofSkill && routeOptions.config?.skill !== undefined)
      reply.header(POLICY, [reply.getHeader(POLICY), SANDBOX].flat().filter(Boolean).join(", "));
    if (typeof answer !== "string") return done(null, answer);
    const counted = answers.counted(answer, reply.raw);
    if (!bodies.isSending(raw)) return done(null, counted);
    reply.header("content-length", Buffer.byteLength(counted));
    done(null, beforeTheBody(counted, raw));
  });
  app.setErrorHandler(sendProblem);
  app.options("*", (request, reply) => {
    const methods = [...addresses.at(pathOf(request.url)).keys()];
    if (methods.length > 0) reply.header("allow", methods.join(", "));
    if (reply.hasHeader("access-control-allow-origin")) reply.headers(permissions(request.headers, methods));
    return reply.code(204).send();
  });
  const surface: CallingSurface = {
    name: "http",
    // A server of one skill's routes offers no commands.
    commands: options.ofSkill === true ? [] : catalog.commands("cli"),
    schemas: host.schemas,
    call: ({ skill, name }, input) => `POST /v1/skills/${skill}/commands/${name} ${input}`.trimEnd(),
  };
  fill(app, { host, catalog, surface, access, problems, bodies, answers, closing: closing.signal });
  return listen(app, connections, { ...options, addresses: ports.environment.addresses }, () =>
    closing.abort(CLOSING),
  );

  function newApp(problems: Problems): FastifyInstance {
    const app = fastify({
      http: {
        headersTimeout: HEADERS_TIMEOUT_MS,
        connectionsCheckingInterval: TIMEOUT_CHECK_MS,
        maxHeaderSize: MAX_HEADER_BYTES,
      },
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionTimeout: QUIET_MS,
      bodyLimit: MAX_BODY_BYTES,
      routerOptions: { maxParamLength: MAX_HEADER_BYTES },
      rewriteUrl: originForm,
      clientErrorHandler: (error, socket) => problems.unreadable(error, socket),
      frameworkErrors: (error, request, reply) => sendProblem(gate(request, reply) ?? error, request, reply),
      // Requests on open connections are still answered while the server closes.
      return503OnClosing: false,
    });
    app.removeAllContentTypeParsers();
    const parse = app.getDefaultJsonParser("error", "error") as FastifyBodyParser<string>;
    app.addContentTypeParser(JSON_TYPE, bodies.json(parse));
    return app;
  }
}

const CLOSING = new SkillError("CANCELLED", "The server is closing.");

/** An absolute-form target determines the host of a request (RFC 9112, section 3.2.2). */
function originForm(request: IncomingMessage): string {
  const { url = "/" } = request;
  if (url.startsWith("/") || !URL.canParse(url)) return url;
  const { host, pathname, search } = new URL(url);
  request.headers.host = host;
  return pathname + search;
}

function addRoutes(
  app: FastifyInstance,
  serving: EndpointContext,
  entries: readonly RouteEntry[],
  baseOf: (entry: RouteEntry) => string,
): void {
  for (const raw of [true, false])
    // Each kind of route has its own context, since body parsers belong to a context.
    void app.register(async (routes) => {
      if (raw) routes.removeAllContentTypeParsers();
      if (raw) routes.addContentTypeParser("*", serving.bodies.raw);
      for (const entry of entries.filter(({ route }) => (route.raw ?? false) === raw)) {
        const { skill, name, route } = entry;
        const { method, collects, keyless } = route;
        const handler = routeEndpoint(serving, entry);
        for (const path of [route.path, ...(route.aliases ?? [])]) {
          const url = baseOf(entry) + path;
          if (!routes.hasRoute({ method, url }))
            routes.route({ method, url, config: { skill, collects, keyless }, handler });
          else
            serving.host.ports.log.notice(
              `The route ${name} of ${skill} is left out: ${method} ${url} is already in use.`,
            );
        }
      }
    });
}
