import { createHash } from "node:crypto";
import { isIP } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { SkillError } from "../../errors/skill-error.ts";
import { readSkillDocument } from "../../skill-document.ts";
import { quotedName } from "../../quoted-name.ts";
import type { SkillFolders } from "../mcp/skill-folders.ts";
import type { EndpointContext } from "./command-endpoint.ts";
import { MCP_PATH } from "./mcp-endpoint.ts";

/** The address of the server card (SEP-2127, Server Card Location). */
const CARD_PATH = `${MCP_PATH}/server-card`;
/** The address of the catalog (AI Catalog 1.0). */
const CATALOG_PATH = "/.well-known/ai-catalog.json";
/** The folder of the skills (Agent Skills Discovery 0.2.0). */
const SKILLS_PATH = "/.well-known/agent-skills";
const INDEX_PATH = `${SKILLS_PATH}/index.json`;
const ARCHIVE_PATH = `${SKILLS_PATH}/:archive`;
const CATALOG_TYPE = "application/ai-catalog+json";
const CARD_TYPE = "application/mcp-server-card+json";
const PROTOCOLS = ["2026-07-28", "2025-11-25"];
/** The documents, as the OpenAPI document names them. */
export const DISCOVERY = [
  { id: "serverCard", path: CARD_PATH, type: CARD_TYPE, summary: "Returns the MCP server card." },
  { id: "catalog", path: CATALOG_PATH, type: CATALOG_TYPE, summary: "Returns the AI catalog of the server." },
  {
    id: "skillIndex",
    path: INDEX_PATH,
    type: "application/json",
    summary: "Returns the index of the skills.",
  },
  {
    id: "skillArchive",
    path: ARCHIVE_PATH,
    type: "application/zip",
    summary: "Returns the documents of a skill.",
  },
] as const;
/** One time for all files, so that equal files give equal archives. */
const ARCHIVE_TIME = new Date(1980, 0, 2);
/** Anyone who reaches the server may read and keep these documents for an hour (SEP-2127, CORS Requirements, Caching). */
const PUBLIC = { "access-control-allow-origin": "*", "cache-control": "public, max-age=3600" };

/** An entry of the index, with the archive of the skill's documents. */
interface PublishedSkill {
  readonly name: string;
  readonly description: string;
  readonly digest: string;
  readonly archive: Buffer;
}

/**
 * Serves the documents by which clients find the server and its skills: a server card, a catalog that names it, and an index of the
 * skills with an archive of each. They need no key, as they hold no data.
 */
export function addDiscovery(app: FastifyInstance, { host, catalog }: EndpointContext): void {
  let published: Promise<readonly PublishedSkill[]> | undefined;
  const skills = () => (published ??= publishedSkills());

  async function publishedSkills(): Promise<readonly PublishedSkill[]> {
    const { skillFolders } = await import("../mcp/skill-folders.ts");
    const folders = skillFolders(catalog, host.ports.files);
    const found: PublishedSkill[] = [];
    for (const { manifest, document: plain } of catalog.skills) {
      const { name } = manifest;
      const text = await folders.read(`${name}/SKILL.md`).catch(() => undefined);
      const document = text && (await readSkillDocument(Buffer.from(text).toString("utf8"), name));
      const isSound = plain !== undefined || document?.faults.every(({ severity }) => severity !== "error");
      const archive = isSound && (await archiveOf(folders, name).catch(() => undefined));
      if (document?.description === undefined || !archive)
        host.ports.log.notice(
          `${quotedName(name)} is not in the index of skills: its SKILL.md has faults, or a file has changed.`,
        );
      else found.push({ name, description: document.description, ...archive });
    }
    return found;
  }

  const get = (
    path: string,
    type: string,
    answer: (request: FastifyRequest) => Promise<object> | object,
  ): void => {
    app.get(path, { config: { keyless: true } }, async (request, reply) =>
      reply.headers({ ...PUBLIC, "content-type": type }).send(JSON.stringify(await answer(request))),
    );
  };
  get(CARD_PATH, CARD_TYPE, (request) => {
    const { origin, name } = placeOf(request);
    return {
      $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
      name: `${name.split(".").reverse().join(".")}/skillctl`,
      version: host.version,
      title: "skillctl",
      description: "Skills for agents: their commands as tools, their prompts and their documents.",
      remotes: [{ type: "streamable-http", url: origin + MCP_PATH, supportedProtocolVersions: PROTOCOLS }],
    };
  });
  get(CATALOG_PATH, CATALOG_TYPE, async (request) => {
    const { origin, name } = placeOf(request);
    const skillEntries = (await skills()).map((skill) => ({
      identifier: `urn:air:${name}:skill:${skill.name}`,
      type: "application/agent-skills+zip",
      url: `${origin}${SKILLS_PATH}/${skill.name}.zip`,
      displayName: skill.name,
      description: skill.description,
      digest: skill.digest,
    }));
    const card = { identifier: `urn:air:${name}:mcp:skillctl`, type: CARD_TYPE, url: origin + CARD_PATH };
    return { specVersion: "1.0", host: { displayName: name }, entries: [card, ...skillEntries] };
  });
  get(INDEX_PATH, "application/json", async () => ({
    $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
    skills: (await skills()).map(({ name, description, digest }) => ({
      name,
      type: "archive",
      description,
      url: `${SKILLS_PATH}/${name}.zip`,
      digest,
    })),
  }));
  app.get(ARCHIVE_PATH, { config: { keyless: true } }, async (request, reply) => {
    const { archive } = request.params as { readonly archive: string };
    return sendArchive(
      reply,
      (await skills()).find(({ name }) => `${name}.zip` === archive),
    );
  });
}

function sendArchive(reply: FastifyReply, skill: PublishedSkill | undefined): FastifyReply {
  if (!skill)
    throw new SkillError("NOT_FOUND", "The index has no such archive.", {
      hint: `The archives are in ${INDEX_PATH}.`,
    });
  return reply.headers({ ...PUBLIC, "content-type": "application/zip" }).send(skill.archive);
}

/** The address of the server as the client sees it. */
function placeOf({ protocol, host, hostname }: FastifyRequest): {
  readonly origin: string;
  readonly name: string;
} {
  const bare = hostname.replaceAll(/[[\]]/g, "");
  return { origin: `${protocol}://${host}`, name: isIP(bare) === 0 ? bare : "localhost" };
}

async function archiveOf(
  folders: SkillFolders,
  skill: string,
): Promise<Pick<PublishedSkill, "archive" | "digest">> {
  const { zipSync } = await import("fflate");
  const files = await folders.files(skill);
  const entries: Record<string, [Uint8Array, { readonly mtime: Date }]> = {};
  for (const [path, bytes] of files) entries[path] = [bytes, { mtime: ARCHIVE_TIME }];
  const archive = Buffer.from(zipSync(entries));
  return { archive, digest: `sha256:${createHash("sha256").update(archive).digest("hex")}` };
}
