import { download } from "../../../adapters/http.ts";
import { isObject, jsonValue } from "../../../schema/json.ts";
import { quotedName } from "../../../quoted-name.ts";
import { readArchive } from "./archive.ts";
import { sha256 } from "../../../adapters/sha256.ts";
import { MOST_BYTES, type SourceFiles } from "./content.ts";
import { ANSWER_MS, integrityOf } from "./registry.ts";

const INDEX_PATH = "/.well-known/agent-skills/index.json";
const CATALOG_PATH = "/.well-known/ai-catalog.json";
/** The form of the index (Agent Skills Discovery 0.2.0). A client must refuse others. */
const INDEX_SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
const MOST_INDEX_BYTES = 4 * 1024 * 1024;
const MOST_NAMED = 20;
const DIGEST = /^sha256:([0-9a-f]{64})$/;
/** This machine, where `skillctl serve` listens without TLS. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?=[/#]|$)/;

/** A skill that a host publishes. */
interface Published {
  readonly name: string;
  /** `skill-md` or `archive`. */
  readonly kind: string;
  readonly url: unknown;
  readonly digest: unknown;
}

/** Whether a word is an address: with TLS, or of this machine. */
export function isAddress(word: string): boolean {
  return word.startsWith("https://") || LOOPBACK.test(word);
}

/** The index or catalog that an address names, and the skill after `#`; undefined for the address of an archive. */
function discoveryOf(source: string): readonly [index: URL, name: string] | undefined {
  if (!URL.canParse(source)) return undefined;
  const url = new URL(source);
  const name = url.hash.slice(1);
  url.hash = "";
  if (url.pathname === "/") url.pathname = INDEX_PATH;
  return [INDEX_PATH, CATALOG_PATH].some((path) => url.pathname.endsWith(path)) ? [url, name] : undefined;
}

/**
 * Reads an archive at an address, or the skill that a host's index names; its bytes must have the digest in the index.
 * Returns their checksum for the lock. A skill of an index may have no skill.json.
 * @throws SkillError `INSTALL_REFUSED`, those of the network
 */
export async function readAddress(source: string, files: SourceFiles, signal: AbortSignal): Promise<string> {
  const fetched = { timeoutMs: ANSWER_MS, signal };
  const [index, wanted] = discoveryOf(source) ?? [];
  if (!index) {
    const bytes = await download(source, { ...fetched, maxBytes: MOST_BYTES });
    await readArchive(bytes, files);
    return integrityOf(bytes);
  }
  const document = await download(index.href, { ...fetched, maxBytes: MOST_INDEX_BYTES });
  const { name, kind, url, digest } = chosen(
    published(jsonValue(document.toString("utf8")), files),
    wanted ?? "",
    files,
  );
  const refused = (reason: string) => files.refusal(`${quotedName(name)} in its index ${reason}`);
  const [, expected] = DIGEST.exec(String(digest)) ?? [];
  if (expected === undefined) throw refused("has no SHA-256");
  if (typeof url !== "string" || !URL.canParse(url, index.href)) throw refused("has no address");
  const address = new URL(url, index).href;
  if (!(LOOPBACK.test(index.href) ? isAddress(address) : address.startsWith("https://")))
    throw refused(`has an address without TLS, ${quotedName(address)}`);
  const bytes = await download(address, { ...fetched, maxBytes: MOST_BYTES });
  if (sha256(bytes) !== expected) throw refused("has a different SHA-256 from the file at its address");
  if (kind === "skill-md") files.add("SKILL.md", bytes);
  else await readArchive(bytes, files);
  files.expectName(name);
  return integrityOf(bytes);
}

/** The skills of an index, or those among the other entries of a catalog. */
function published(document: unknown, files: SourceFiles): readonly Published[] {
  const { $schema, skills, specVersion, entries } = isObject(document) ? document : {};
  if (Array.isArray(skills) && $schema === INDEX_SCHEMA)
    return skills.map(Object).map(({ name, type, url, digest }) => ({ name, kind: type, url, digest }));
  if (Array.isArray(entries) && typeof specVersion === "string" && specVersion.startsWith("1."))
    return entries
      .map(Object)
      .flatMap(({ identifier, type, url, digest }) =>
        String(type).startsWith("application/agent-skills+")
          ? [{ name: String(identifier).replace(/^.*:/, ""), kind: "archive", url, digest }]
          : [],
      );
  throw files.refusal(
    "its index follows neither Agent Skills Discovery 0.2.0 nor AI catalog 1",
    "Ask its owner, or name the address of an archive.",
  );
}

function chosen(all: readonly Published[], wanted: string, files: SourceFiles): Published {
  const usable = all.filter(
    ({ name, kind }) => typeof name === "string" && ["skill-md", "archive"].includes(kind),
  );
  const [found, another] = usable.filter(({ name }) => wanted === "" || name === wanted);
  if (found && !another) return found;
  const names = usable.slice(0, MOST_NAMED).map(({ name }) => quotedName(name));
  throw files.refusal(
    found
      ? "its index has several skills"
      : `its index has no skill${wanted === "" ? "" : ` ${quotedName(wanted)}`}`,
    names.length === 0 ? undefined : `Write one of them after #: ${names.join(", ")}`,
  );
}
