import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** What esbuild says of a build: which files went into it. */
interface Metafile {
  readonly inputs: Readonly<Record<string, unknown>>;
}

const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** The licences of the packages whose code was bundled, as their authors ask for, one after another. */
export function noticesOf(metafiles: readonly string[]): string {
  const folders = new Set<string>();
  for (const path of metafiles) {
    const { inputs } = JSON.parse(readFileSync(path, "utf8")) as Metafile;
    for (const input of Object.keys(inputs)) {
      const folder = PACKAGE.exec(input)?.[1];
      if (folder !== undefined) folders.add(folder);
    }
  }
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
