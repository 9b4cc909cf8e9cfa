import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** What esbuild says of a build: which files went into it. */
interface Metafile {
  readonly inputs: Readonly<Record<string, unknown>>;
}

const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** The folders of the packages whose code a build took in. */
export function packagesIn(metafile: string): ReadonlySet<string> {
  const { inputs } = JSON.parse(readFileSync(metafile, "utf8")) as Metafile;
  const folders = Object.keys(inputs).map((input) => PACKAGE.exec(input)?.[1]);
  return new Set(folders.filter((folder) => folder !== undefined));
}

/** The licences of packages, as their authors ask for, one after another. */
export function noticesOf(folders: ReadonlySet<string>): string {
  return [...folders].sort().map(noticeOf).join("\n");
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
    readonly license: string;
  };
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8");
  return `${"-".repeat(80)}\n${name} ${version} (${license})\n\n${text.trim()}\n`;
}
