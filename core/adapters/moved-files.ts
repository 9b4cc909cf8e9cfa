import * as fs from "node:fs";
import { exactPath, isDoubtful } from "./exact-path.ts";

/** What answers a file system that has no hard links, or not to another one, or not to this file. */
const NO_LINK: ReadonlySet<string> = new Set(["EXDEV", "EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** See `Files.move`. Pipes and sockets hold nothing: to another file system they go nowhere. */
export async function movePath(from: string, to: string): Promise<void> {
  const exact = isDoubtful(from) ? exactPath(from) : from;
  try {
    await fs.promises.rename(exact, to);
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code !== "EXDEV") throw caught;
    copy(exact, to);
    await fs.promises.rm(exact, { recursive: true, force: true });
  }
}

/** See `Files.addName`. */
export async function addName(path: string, further: string): Promise<void> {
  try {
    await fs.promises.link(path, further);
  } catch (caught) {
    if (!NO_LINK.has((caught as NodeJS.ErrnoException).code ?? "")) throw caught;
    copy(path, further);
  }
}

function copy(from: string | Buffer, to: string): void {
  const stats = fs.lstatSync(from);
  if (stats.isSymbolicLink()) return fs.symlinkSync(fs.readlinkSync(from), to);
  if (stats.isFile()) return fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
  if (!stats.isDirectory()) return;
  fs.mkdirSync(to, { mode: 0o700 });
  for (const name of fs.readdirSync(from, { encoding: "buffer" }))
    copy(Buffer.concat([Buffer.from(from), Buffer.from("/"), name]), `${to}/${name.toString()}`);
}
