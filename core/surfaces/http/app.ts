import type { IncomingHttpHeaders } from "node:http";
import fastify, {
  type FastifyBodyParser,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { SkillError } from "../../errors/skill-error.ts";
import { JSON_TYPE, readJson } from "./body.ts";
import { answerLast } from "./last-answer.ts";
import { gatedServer, type Gate } from "./listener.ts";
import { MAX_BODY_BYTES } from "./limits.ts";
import { answerParserError } from "./parser-error.ts";
import type { Problems } from "./problem.ts";
import { sendText } from "./reply.ts";
import { pathOf } from "./target.ts";

const TOO_LARGE = 413;

declare module "fastify" {
  interface FastifyContextConfig {
    /** The skill that answers, for the rows of its own error codes. */
    skill?: string;
  }
}

/** Fastify behind the gate, reading JSON only, answering every failure as a problem. It has no routes yet. */
export function gatedApp(gate: Gate): FastifyInstance {
  const { problems, addresses } = gate;
  const app = fastify({
    serverFactory: (route) => gatedServer(gate, route),
    clientErrorHandler: (error, socket) => answerParserError(gate, error, socket),
    frameworkErrors: (error, request, reply) => sendProblem(problems, error, request, reply),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: false,
    // What comes in on an open connection while the server closes is still answered.
    return503OnClosing: false,
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, { parseAs: "buffer" }, bodyParser(readJson));
  app.setNotFoundHandler((request, reply) => {
    const { error, allow } = addresses.missing(request.method, pathOf(request.url));
    if (allow !== undefined) reply.header("allow", allow);
    reply.send(error);
  });
  app.setErrorHandler((caught, request, reply) => sendProblem(problems, caught, request, reply));
  return app;
}

/** A reader of bodies as fastify wants it. */
export function bodyParser(
  read: (bytes: Buffer, headers: IncomingHttpHeaders) => unknown,
): FastifyBodyParser<Buffer> {
  return (request, bytes, done) => {
    // A wrong address is not reported as a wrong body.
    if (request.is404) return done(null);
    let body: unknown;
    try {
      body = read(bytes, request.headers);
    } catch (caught) {
      return done(caught as Error);
    }
    done(null, body);
  };
}

function sendProblem(
  problems: Problems,
  caught: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { skill } = request.routeOptions?.config ?? {};
  const problem = problems.of(translated(caught), `${request.method} ${pathOf(request.url)}`, skill);
  const text = problems.text(problem);
  if (request.raw.readableEnded || problem.status !== TOO_LARGE)
    return void sendText(reply, problem.status, text, problems.type);
  const { raw } = reply.hijack();
  answerLast(raw, { status: problem.status, headers: ["Content-Type", problems.type], text });
}

/** What fastify itself refuses, in the words of the error table. */
function translated(caught: unknown): unknown {
  switch ((caught as { readonly code?: unknown } | undefined)?.code) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new SkillError("MEDIA_TYPE_REFUSED", "The content type is not one that is read here.", {
        hint: "Send application/json.",
      });
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new SkillError("BODY_TOO_LARGE", `The body is over ${MAX_BODY_BYTES} bytes.`, {
        hint: "Send less in one request.",
      });
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
    case "ECONNRESET":
      return new SkillError("REQUEST_UNREADABLE", "The body is not as long as its Content-Length says.");
    case "FST_ERR_BAD_URL":
      return new SkillError("REQUEST_UNREADABLE", "The path of the request holds a broken escape.");
    default:
      return caught;
  }
}
