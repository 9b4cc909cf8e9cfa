import maxSatisfying from "semver/ranges/max-satisfying.js";
import semverSatisfies from "semver/functions/satisfies.js";
import { createHash } from "node:crypto";
import { download } from "../../../adapters/http.ts";
import { nodePrograms } from "../../../adapters/programs.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import type { Environment } from "../../../ports/environment.ts";
import { quotedName } from "../../../quoted-name.ts";
import { isObject, jsonValue } from "../../../schema/json.ts";
import { MOST_BYTES } from "./content.ts";

const NAME = /^(?:@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]*$/;
const MOST_DOCUMENT_BYTES = 32 * 1024 * 1024;
/** Time for one answer of a registry, in milliseconds. */
export const ANSWER_MS = 120_000;
/** Asks for the versions instead of the whole document of the package. */
const ACCEPT = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8";

/** Versions of a package as the registry returns them. */
export interface PackageVersions {
  readonly name: string;
  /** Versions by tag, such as `latest`. */
  readonly tags: Readonly<Record<string, unknown>>;
  readonly versions: Readonly<Record<string, unknown>>;
}

/** Name and range of `npm:NAME@RANGE`. @throws SkillError `USAGE` */
export function npmSpec(text: string): readonly [name: string, range: string] {
  const at = text.indexOf("@", 1);
  const [name, range] = at < 0 ? [text, "latest"] : [text.slice(0, at), text.slice(at + 1)];
  if (NAME.test(name) && range !== "") return [name, range];
  throw new SkillError("USAGE", `${quotedName(`npm:${text}`)} is not the name of an npm package.`, {
    hint: "For example: npm:@acme/greeting@^1.0.0",
  });
}

/**
 * The address of the registry of a package: `npm_config_registry`, or else the one that npm uses for the person. The
 * configuration of a project is ignored.
 * @throws SkillError `PROGRAM_FAILED` without npm
 */
async function registryOf(name: string, environment: Environment, signal: AbortSignal): Promise<string> {
  const { variable, home } = environment;
  const named = variable("npm_config_registry") ?? variable("NPM_CONFIG_REGISTRY");
  if (named !== undefined) return named;
  const programs = nodePrograms(environment);
  const program = await programs.find("npm");
  const args = ["config", "list", "--json"];
  const call = { args, folder: home, timeoutMs: ANSWER_MS, signal };
  const { out } = program === undefined ? { out: "" } : await programs.run({ program, ...call });
  const configuration = jsonValue(out);
  const [scope = ""] = /^@[^/]+/.exec(name) ?? [];
  const { registry, [`${scope}:registry`]: own } = isObject(configuration) ? configuration : {};
  const address = own ?? registry;
  if (typeof address === "string") return address;
  throw new SkillError("PROGRAM_FAILED", "npm does not name its registry.", {
    hint: "Install npm, or set npm_config_registry to the address of a registry.",
  });
}

/** Reads the versions of a package. @throws SkillError `INSTALL_REFUSED` for an unknown one, and those of `download` */
export async function packageVersions(
  name: string,
  environment: Environment,
  signal: AbortSignal,
): Promise<PackageVersions> {
  const registry = await registryOf(name, environment, signal);
  const url = `${registry.replace(/\/$/, "")}/${name.replace("/", "%2f")}`;
  const missing = `There is no package ${quotedName(name)} in the registry ${quotedName(registry)}.`;
  const request = {
    headers: { accept: ACCEPT },
    timeoutMs: ANSWER_MS,
    maxBytes: MOST_DOCUMENT_BYTES,
    signal,
    missing: new SkillError("INSTALL_REFUSED", missing, {
      hint: "Check the name, and `npm config get registry`.",
    }),
  };
  const document = jsonValue((await download(url, request)).toString("utf8"));
  const { versions, "dist-tags": tags } = isObject(document) ? document : {};
  if (isObject(versions) && isObject(tags)) return { name, tags, versions };
  throw new SkillError(
    "NETWORK_BROKEN",
    `The registry does not answer with versions of ${quotedName(name)}.`,
  );
}

/** The version that npm would choose for a range or tag: `latest` if it fits, else the highest one. */
export function chosenVersion({ tags, versions }: PackageVersions, range: string): string | undefined {
  const tagged = Object.hasOwn(tags, range) ? tags[range] : undefined;
  if (typeof tagged === "string") return tagged;
  const { latest } = tags;
  if (typeof latest === "string" && semverSatisfies(latest, range)) return latest;
  return maxSatisfying(Object.keys(versions), range) ?? undefined;
}

/** A tarball of a version, compared with the checksum that the registry names. */
export interface PackageTarball {
  readonly bytes: Buffer;
  readonly integrity: string;
  /** The author's reason not to use this version. */
  readonly deprecated?: string;
}

/** @throws SkillError `INSTALL_REFUSED` without a checksum or with another one, and those of `download` */
export async function packageTarball(
  { name, versions }: PackageVersions,
  version: string,
  signal: AbortSignal,
): Promise<PackageTarball> {
  const entry = Object.hasOwn(versions, version) ? versions[version] : undefined;
  const { dist, deprecated } = isObject(entry) ? entry : {};
  const { tarball, integrity = "" } = isObject(dist) ? dist : {};
  const what = quotedName(`${name}@${version}`);
  const refused = (reason: string): SkillError =>
    new SkillError("INSTALL_REFUSED", `${what} is not installed: ${reason}.`, {
      hint: "Choose another version, or a tarball that you have checked.",
    });
  if (typeof tarball !== "string") throw refused("the registry does not have it");
  if (!/^https?:/.test(tarball)) throw refused(`its address is ${quotedName(tarball)}`);
  const [expected] = /sha512-[A-Za-z0-9+/]{86}==/.exec(String(integrity)) ?? [];
  if (expected === undefined) throw refused("the registry names no SHA-512 of it");
  const bytes = await download(tarball, { timeoutMs: ANSWER_MS, maxBytes: MOST_BYTES, signal });
  if (integrityOf(bytes) !== expected) throw refused("its SHA-512 is not the one that the registry names");
  return { bytes, integrity: expected, ...(typeof deprecated === "string" && { deprecated }) };
}

/** SHA-512 of a tarball, as in Subresource Integrity. */
export function integrityOf(bytes: Uint8Array): string {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}
