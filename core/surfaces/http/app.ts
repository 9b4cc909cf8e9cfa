import type { IncomingHttpHeaders } from "node:http";
import fastify, {
  type FastifyBodyParser,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { SkillError } from "../../errors/skill-error.ts";
import { answerOf } from "./answer.ts";
import { JSON_TYPE, readJson } from "./body.ts";
import { answerLast } from "./last-answer.ts";
import { gatedServer, type Gate } from "./listener.ts";
import { MAX_BODY_BYTES } from "./limits.ts";
import type { Problems } from "./problem.ts";
import { sendText } from "./reply.ts";
import { pathOf, routedPath } from "./target.ts";

const TOO_LARGE = "FST_ERR_CTP_BODY_TOO_LARGE";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The skill that answers, for the rows of its own error codes. */
    skill?: string;
  }
}

/** Fastify behind the gate, reading JSON only, answering every failure as a problem. It has no routes yet. */
export function gatedApp(gate: Gate): FastifyInstance {
  const { problems, addresses, parserErrors } = gate;
  const app = fastify({
    serverFactory: (route) => gatedServer(gate, route),
    clientErrorHandler: (error, socket) => parserErrors.answer(error, socket),
    frameworkErrors: (error, request, reply) => sendProblem(problems, error, request, reply),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: false,
    // What comes in on an open connection while the server closes is still answered.
    return503OnClosing: false,
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, { parseAs: "buffer" }, bodyParser(readJson));
  const sendMissing = (request: FastifyRequest, reply: FastifyReply): void => {
    const { error, allow } = addresses.missing(request.method, routedPath(request.url));
    if (allow !== undefined) reply.header("allow", allow);
    sendProblem(problems, error, request, reply);
  };
  app.setNotFoundHandler(sendMissing);
  app.setErrorHandler((caught, request, reply) => {
    // A wrong address is not reported as a wrong body; of one that is too long the rest must be taken in.
    if (request.is404 && codeOf(caught) !== TOO_LARGE) sendMissing(request, reply);
    else sendProblem(problems, caught, request, reply);
  });
  return app;
}

/** A reader of bodies as fastify wants it. */
export function bodyParser(
  read: (bytes: Buffer, headers: IncomingHttpHeaders) => unknown,
): FastifyBodyParser<Buffer> {
  return (request, bytes, done) => {
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
  if (request.raw.readableEnded || codeOf(caught) !== TOO_LARGE)
    return void sendText(reply, problem.status, text, problems.type);
  const { raw } = reply.hijack();
  answerLast(raw, answerOf(problem.status, ["Content-Type", problems.type], text));
}

function codeOf(caught: unknown): unknown {
  return (caught as { readonly code?: unknown } | undefined)?.code;
}

/** What fastify itself refuses, in the words of the error table. */
function translated(caught: unknown): unknown {
  switch (codeOf(caught)) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new SkillError("MEDIA_TYPE_REFUSED", "The content type is not one that is read here.", {
        hint: "Send application/json.",
      });
    case TOO_LARGE:
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
