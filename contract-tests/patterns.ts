import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { analyse } from "scslre";
import { ROOT } from "./harness.ts";

/** A regular expression in the source, or in a file of data. */
export interface Pattern {
  /** From the root of the repository. */
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** The regular expression literals of the source, and the patterns of schemas and rules. Tests are left out. */
export function patternsOf(): readonly Pattern[] {
  const listed = execFileSync("git", ["ls-files", "core", "plugins", "bin", "schemas", "skills"], {
    cwd: ROOT,
  });
  const files = listed
    .toString()
    .split("\n")
    .filter((file) => !/\.test\.ts$|\/tests\/|fixture/.test(file));
  return [
    ...files.filter((file) => file.endsWith(".ts")).flatMap(literalsIn),
    // A pattern in a table of cases is an input of a tool.
    ...files.filter((file) => file.endsWith(".json") && !file.includes("/rules/")).flatMap(patternsInData),
  ];
}

/** The reasons why a pattern may take more than time proportional to the length of a text; empty if there are none. */
export function slownessOf({ source, flags }: Pattern): readonly string[] {
  const { reports } = analyse(new RegExp(source, flags), { reportTypes: { Move: true } });
  return reports.map(({ type, exponential }) => (exponential ? `${type}, exponential` : type));
}

function literalsIn(file: string): readonly Pattern[] {
  const patterns: Pattern[] = [];
  const { program } = parseSync(file, readFileSync(join(ROOT, file), "utf8"));
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { regex } = node as { readonly regex?: { readonly pattern: string; readonly flags: string } };
    if (regex) patterns.push({ file, source: regex.pattern, flags: regex.flags });
    else for (const each of Object.values(node)) visit(each);
  };
  visit(program);
  return patterns;
}

function patternsInData(file: string): readonly Pattern[] {
  const patterns: Pattern[] = [];
  JSON.parse(readFileSync(join(ROOT, file), "utf8"), (key, value: unknown) => {
    // Marks such as {state} stand for a folder.
    if (key === "pattern" && typeof value === "string")
      patterns.push({ file, source: value.replaceAll(/(?<!\\p)\{[a-zA-Z]+\}/g, "F"), flags: "u" });
    return value;
  });
  return patterns;
}
