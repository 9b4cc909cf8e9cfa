import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { RouteHandlerMethod } from "fastify";
import type { Catalog } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import { SkillError } from "../../errors/skill-error.ts";
import { Components } from "./openapi-components.ts";
import { Operations, SYSTEM_TAG } from "./openapi-operations.ts";

/**
 * Answers `GET /openapi.json`: the document, compressed if the client accepts that, or 304 if the client has it. An
 * incomplete document is created again for the next request, since its cause may be repaired by then.
 */
export function documentEndpoint(host: Host, catalog: Catalog, hasKey: boolean): RouteHandlerMethod {
  interface CachedDocument {
    readonly text: string;
    readonly gzip: Buffer;
    readonly tag: string;
  }
  let kept: CachedDocument | undefined;
  const written = async (): Promise<CachedDocument> => {
    const { document, whole } = await openApiDocument(host, catalog, hasKey);
    const text = JSON.stringify(document);
    const tag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
    const made = { text, gzip: gzipSync(text), tag };
    if (whole) kept = made;
    return made;
  };
  return async ({ headers }, reply) => {
    const { text, gzip, tag } = kept ?? (await written());
    // Weak, since the document is sent in two codings.
    reply.headers({ etag: `W/${tag}`, "cache-control": "no-cache", vary: "Accept-Encoding" });
    if (headers["if-none-match"]?.includes(tag)) return reply.code(304).send();
    reply.type("application/json; charset=utf-8");
    return acceptsGzip(headers["accept-encoding"])
      ? reply.header("content-encoding", "gzip").send(gzip)
      : reply.send(text);
  };
}

/** Whether the header names gzip with a quality other than 0, which refuses it (RFC 9110, section 12.5.3). */
function acceptsGzip(header = ""): boolean {
  return header
    .split(",")
    .some((coding) => /^\s*gzip\s*(;|$)/i.test(coding) && !/;\s*q=0(\.0*)?\s*$/i.test(coding));
}

/** The document, and whether it has every operation. */
export interface OpenApi {
  readonly document: Readonly<Record<string, unknown>>;
  readonly whole: boolean;
}

/**
 * The OpenAPI 3.1 document for `openHttpServer`: a function of manifests and schemas that loads no code of a skill. An
 * operation whose schema cannot be read is left out and reported in the log.
 */
export async function openApiDocument(host: Host, catalog = host.catalog, hasKey = false): Promise<OpenApi> {
  const { ports } = host;
  const components = new Components(host.schemas);
  const problem = await components.reference("core/problem");
  const paths: Record<string, Record<string, object>> = {};
  let whole = true;
  const add = async (path: string, method: string, operation: () => Promise<object>): Promise<void> => {
    try {
      (paths[path] ??= {})[method.toLowerCase()] ??= withShared(await operation());
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      whole = false;
      ports.log.notice(`${method} ${path} is left out of the OpenAPI document: ${caught.message}`);
    }
  };
  const operations = new Operations(host, components, problem);
  for (const entry of catalog.commands("http")) {
    await add(`/v1/skills/${entry.skill}/commands/${entry.name}`, "POST", () => operations.command(entry));
  }
  for (const entry of catalog.routes()) {
    await add(`/${entry.skill}${entry.route.path}`, entry.route.method, () => operations.route(entry));
  }
  for (const [path, method, operation] of await operations.system())
    await add(path, method, async () => operation);
  const used = new Set(Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(tagsOf)));
  const skillTags = catalog.skills.map(({ manifest }) => ({
    name: manifest.name,
    description: manifest.summary,
  }));
  const document = {
    openapi: "3.1.0",
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    info: {
      title: "skillctl",
      version: host.version,
      summary: "The commands and routes of the hosted skills.",
      description:
        "Responses have the media type given here, whatever `Accept` says. `OPTIONS` returns the methods of any address.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The server of this document." }],
    security: hasKey ? [{ key: [] }] : [],
    tags: [...skillTags, { name: SYSTEM_TAG, description: "The server itself." }].filter(({ name }) =>
      used.has(name),
    ),
    paths: Object.fromEntries(Object.entries(paths).filter(([, methods]) => Object.keys(methods).length > 0)),
    components: {
      schemas: components.sorted(),
      responses: {
        NotFound: operations.problemReply(404, ["NOT_FOUND", "UNKNOWN_COMMAND", "UNKNOWN_SKILL"]),
        MethodRefused: {
          ...operations.problemReply(405, ["METHOD_REFUSED"]),
          headers: {
            Allow: { description: "The methods of the address.", schema: { type: "string" } },
          },
        },
        TooSlow: operations.problemReply(408, ["REQUEST_UNREADABLE"]),
        HeadTooLarge: operations.problemReply(431, ["REQUEST_UNREADABLE"]),
      },
      ...(hasKey && {
        securitySchemes: {
          key: { type: "http", scheme: "bearer", description: "The key that the server was started with." },
        },
      }),
    },
  };
  return { document, whole };
}

/** Responses that every address can give: after the hosted skills change, to another method, to a head that is too slow or too large. */
const SHARED = { "404": "NotFound", "405": "MethodRefused", "408": "TooSlow", "431": "HeadTooLarge" };

function withShared(operation: object): object {
  const { responses, ...more } = operation as { readonly responses: Readonly<Record<string, object>> };
  const shared = Object.entries(SHARED).map(([status, name]) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ]);
  return { ...more, responses: { ...Object.fromEntries(shared), ...responses } };
}

function tagsOf(operation: object): readonly string[] {
  return (operation as { readonly tags: readonly string[] }).tags;
}
