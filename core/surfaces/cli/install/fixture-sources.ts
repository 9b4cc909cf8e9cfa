import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { Header } from "tar/header";
import { Pax } from "tar/pax";
import { ownFolder } from "../../../../contract-tests/doors-harness.ts";
import { runCli, writeSkill, type SkillFixture } from "../fixture-command-line.ts";

/** An entry of a tar archive as a hostile author writes it. */
export interface Entry {
  readonly path: string;
  readonly body?: string;
  readonly type?: "File" | "Directory" | "SymbolicLink" | "Link" | "CharacterDevice" | "BlockDevice" | "FIFO";
  readonly linkpath?: string;
  /** The size that the header names. Default: that of the body. */
  readonly size?: number;
}

/** For tests: a tar archive, compressed. */
export function tarball(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ path, body = "", type = "File", linkpath, size }) => {
    const bytes = Buffer.from(body);
    const header = Buffer.alloc(512);
    new Header({
      path,
      type,
      mode: 0o644,
      size: size ?? bytes.length,
      mtime: new Date(0),
      ...(linkpath !== undefined && { linkpath }),
    }).encode(header);
    const long = Buffer.byteLength(path) > 99 ? [new Pax({ path }).encode()] : [];
    return [...long, header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

/** For tests: the files of a folder as entries below another name. */
export async function entriesOf(folder: string, below = "package"): Promise<readonly Entry[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return { path: path.replace(folder, below), body: await readFile(path, "utf8") };
      }),
  );
}

/** A version of a package. */
interface Publication {
  readonly bytes: Buffer;
  /** Default: the right one. */
  readonly integrity?: string;
}

/** For tests: a registry that answers like that of npm, with the packages that are published to it. */
export async function registry(t: TestContext) {
  const packages = new Map<string, Map<string, Publication>>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    asked.push(path);
    const [name = "", file] = path.split("/-/");
    const versions = packages.get(name);
    if (!versions) return response.writeHead(404).end("{}");
    if (file !== undefined) return response.end(versions.get(file.replace(".tgz", ""))?.bytes);
    const { port } = server.address() as AddressInfo;
    const entries = [...versions].map(([version, { bytes, integrity }]) => [
      version,
      {
        name,
        version,
        dist: {
          tarball: `http://127.0.0.1:${port}/${name}/-/${version}.tgz`,
          integrity: integrity ?? `sha512-${createHash("sha512").update(bytes).digest("base64")}`,
        },
      },
    ]);
    const document = {
      name,
      "dist-tags": { latest: [...versions.keys()].at(-1) },
      versions: Object.fromEntries(entries),
    };
    return response.end(JSON.stringify(document));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    publish: (name: string, version: string, bytes: Buffer, integrity?: string): void => {
      const versions = packages.get(name) ?? new Map<string, Publication>();
      packages.set(name, versions.set(version, { bytes, ...(integrity !== undefined && { integrity }) }));
    },
  };
}

const run = promisify(execFile);

/** For tests: commits everything in a folder and tags it; the folder becomes a repository. */
export async function commitTag(folder: string, tag: string): Promise<void> {
  const git = (...args: readonly string[]) =>
    run("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", ...args], {
      cwd: folder,
    });
  if (!existsSync(join(folder, ".git"))) await git("init", "--quiet");
  await git("add", "--all");
  await git("commit", "--quiet", "--allow-empty", "--message", tag);
  await git("tag", "--force", tag);
}

/** A module that leaves a mark when it is loaded. */
const LOUD = (mark: string) => `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(mark)}, "ran");
export default { commands: { greet: class { run = async (input) => ({ text: "Hello " + input.name }); } } };
`;

/** For tests: a home with a project and skills of strangers, and the command line in the project. */
export async function shop(t: TestContext) {
  const home = await ownFolder(t);
  const [project, strangers] = [join(home, "project"), join(home, "strangers")];
  for (const folder of [project, strangers]) await mkdir(folder);
  const mark = join(home, "mark");
  const variables: Record<string, string> = {
    HOME: home,
    SKILLCTL_STATE: join(home, "state"),
    PATH: process.env["PATH"] ?? "",
  };
  const saying =
    (folder: string) =>
    (...words: readonly string[]) =>
      runCli(folder, words, { variables });
  return {
    home,
    project,
    variables,
    say: saying(project),
    at: saying,
    ran: () => existsSync(mark),
    /** Writes a skill, whose code leaves a mark. */
    skill: (name: string, version = "1.0.0", parts: SkillFixture = {}) =>
      writeSkill(strangers, name, { code: LOUD(mark), ...parts, manifest: { version, ...parts.manifest } }),
    /** Writes a tarball next to the project. */
    archive: async (entries: readonly Entry[], name = "skill.tgz") => {
      await writeFile(join(strangers, name), tarball(entries));
      return join(strangers, name);
    },
    /** All paths of the project, sorted. */
    paths: async () => (await readdir(project, { recursive: true })).sort(),
  };
}
