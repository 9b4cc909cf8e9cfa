import type { FastifyInstance } from "fastify";
import type { CommandEntry, RouteEntry } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import { SkillError } from "../../errors/skill-error.ts";
import { offeredInput } from "../../offered-input.ts";
import type { PageText } from "../../page/built-page.ts";
import type { FieldSchema, StartForm, StartSkill, StartView } from "../../page/start-view.ts";
import { resolved } from "../../schema/references.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import { COMMAND_PATH, sendJson, type EndpointContext } from "./command-endpoint.ts";

const VIEW_PATH = "/v1/page";
/** The browser sends the cookie to these paths and to the routes that return pages. */
const COOKIE_PATH = "/v1";

/**
 * Serves the start page at `/`, which contains no data of the host, and its data. A request for the page with the key
 * of the server gets a cookie and a redirect to the address without the key.
 */
export function addPage(app: FastifyInstance, { host, catalog, access }: EndpointContext): void {
  let page: PageText | undefined;
  app.get("/", { config: { keyless: true } }, async ({ url }, reply) => {
    const key = new URL(url, "http://localhost").searchParams.get("k");
    const { html, headers } = (page ??= (await import("../../page/start-page.ts")).startPage());
    if (!access.isKey(key)) return reply.headers(headers).send(html);
    const pages = (await pageRoutes(host, catalog.routes())).map(addressOf);
    const cookies = access.cookiesFor([COOKIE_PATH, ...pages]);
    return reply.headers({ ...headers, "set-cookie": [...cookies] }).redirect("/", 303);
  });

  app.get(VIEW_PATH, async (_request, reply) => {
    const [commands, pages, folders] = [
      catalog.commands("http"),
      await pageRoutes(host, catalog.routes()),
      await documents(),
    ];
    const skills = catalog.skills.map(async ({ manifest: { name, summary } }): Promise<StartSkill> => {
      const ofSkill = ({ skill }: { readonly skill: string }): boolean => skill === name;
      const files = await folders.files(name).catch(() => []);
      return {
        name,
        summary,
        forms: await Promise.all([
          ...commands.filter(ofSkill).map((entry) => commandForm(host, entry)),
          ...pages.filter(ofSkill).map((entry) => pageForm(host, entry)),
        ]),
        documents: files.map(([path]) => `${name}/${path}`).filter((path) => path.endsWith(".md")),
      };
    });
    const view: StartView = { version: host.version, skills: await Promise.all(skills) };
    return sendJson(reply.header("cache-control", "no-store"), 200, view);
  });

  app.get(`${VIEW_PATH}/document`, async ({ query }, reply) => {
    const { path } = query as { readonly path?: unknown };
    const { name } = catalog.skill(String(path).split("/", 1)[0] ?? "").manifest;
    const files = await (await documents()).files(name);
    const bytes = files.find(([file]) => `${name}/${file}` === path)?.[1];
    if (!bytes) throw new SkillError("NOT_FOUND", "No served skill has this document.");
    return reply.type("text/plain; charset=utf-8").send(Buffer.from(bytes));
  });

  const documents = async () =>
    (await import("../mcp/skill-folders.ts")).skillFolders(catalog, host.ports.files);
}

/** The routes that return a page for a person. A route without a key belongs to a separate server of its skill. */
async function pageRoutes(host: Host, routes: readonly RouteEntry[]): Promise<readonly RouteEntry[]> {
  const found = await Promise.all(
    routes.map(async ({ route: { method, keyless, replies } }) => {
      const name = replies["200"];
      if (method !== "GET" || keyless || name === undefined) return false;
      return (await host.schemas.document(name))["contentMediaType"] === "text/html";
    }),
  );
  return routes.filter((_, index) => found[index]);
}

function addressOf({ skill, route }: RouteEntry): string {
  return `/${skill}${route.path}`;
}

async function commandForm({ schemas }: Host, { skill, name, command }: CommandEntry): Promise<StartForm> {
  const { readOnly, destructive } = command.effects ?? {};
  return {
    name,
    summary: command.summary,
    method: "POST",
    address: COMMAND_PATH.replace(":skill", skill).replace(":command", name),
    effect: readOnly ? "reads only" : destructive ? "may destroy" : "",
    ...fieldsOf(await offeredInput(schemas, command, "http")),
  };
}

async function pageForm({ schemas }: Host, entry: RouteEntry): Promise<StartForm> {
  const { name, route } = entry;
  return {
    name,
    summary: route.summary,
    method: "GET",
    address: addressOf(entry),
    effect: "reads only",
    ...fieldsOf(route.query === undefined ? {} : await schemas.document(route.query)),
  };
}

function fieldsOf(document: JsonSchema): Pick<StartForm, "fields" | "required" | "examples"> {
  const { properties = {}, required = [], examples = [] } = document;
  const inside = (schema: unknown): JsonSchema => resolved(schema as JsonSchema, document);
  const fields = Object.entries(properties as object).map(([name, schema]: readonly [string, unknown]) => {
    const { items, anyOf, ...field } = inside(schema);
    const parts = {
      ...(items !== undefined && { items: inside(items) }),
      ...(Array.isArray(anyOf) && { anyOf: anyOf.map(inside) }),
    };
    return [name, { ...field, ...parts }];
  });
  return {
    fields: Object.fromEntries(fields) as Readonly<Record<string, FieldSchema>>,
    required: required as readonly string[],
    examples: examples as StartForm["examples"],
  };
}
