import * as fs from "node:fs";
import { exactPath, isDoubtful } from "./many-files.ts";

/** See `Files.move`. Pipes and sockets hold nothing: to another file system they go nowhere. */
export async function movePath(from: string, to: string): Promise<void> {
  const exact = isDoubtful(from) ? exactPath(from) : from;
  try {
    await fs.promises.rename(exact, to);
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code !== "EXDEV") throw caught;
    const copied: Copied[] = [];
    copy(exact, to, copied);
    for (const one of copied.reverse()) removeCopied(one);
  }
}

/** What was copied, and how it was then: a folder is without. */
interface Copied {
  readonly path: string | Buffer;
  readonly stats?: fs.Stats;
}

/** What somebody has written since stays where it is. */
function removeCopied({ path, stats }: Copied): void {
  try {
    if (!stats) return fs.rmdirSync(path);
    const now = fs.lstatSync(path);
    if (now.ino === stats.ino && now.ctimeMs === stats.ctimeMs && now.size === stats.size)
      fs.unlinkSync(path);
  } catch (caught) {
    if (!LEFT.has((caught as NodeJS.ErrnoException).code ?? "")) throw caught;
  }
}

/** A folder is not empty, or something has gone by itself. */
const LEFT: ReadonlySet<string> = new Set(["ENOTEMPTY", "EEXIST", "ENOENT"]);

function copy(from: string | Buffer, to: string, copied: Copied[]): void {
  const stats = fs.lstatSync(from);
  if (stats.isDirectory()) {
    copied.push({ path: from });
    fs.mkdirSync(to, { mode: 0o700 });
    for (const name of fs.readdirSync(from, { encoding: "buffer" }))
      copy(Buffer.concat([Buffer.from(from), Buffer.from("/"), name]), `${to}/${name.toString()}`, copied);
    return;
  }
  copied.push({ path: from, stats });
  if (stats.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from), to);
  else if (stats.isFile()) fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
}
