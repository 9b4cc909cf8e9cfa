import { join } from "node:path";
import type { Files } from "../ports/files.ts";
import type { JsonSchema } from "../schema/schemas.ts";
import type { Compiler, FullFault } from "./compiler.ts";
import { nearest } from "../nearest.ts";
import { isObject } from "../schema/json.ts";
import { pointerOf } from "../schema/fault.ts";
import { reporterInto, type ValidationFault, readJson } from "./json-file.ts";
import { checkSchemaRules, lostReferences, schemasIn } from "./schema-rules.ts";
import { quotedName } from "../quoted-name.ts";

/** The schema files of all skills in a validation. */
export class SchemaFiles {
  readonly #files: Files;
  readonly #compile: Compiler;
  readonly #folders: ReadonlyMap<string, string>;

  /** `folders`: the schema folder of each skill, and of `core`. */
  constructor(files: Files, compile: Compiler, folders: ReadonlyMap<string, string>) {
    this.#files = files;
    this.#compile = compile;
    this.#folders = folders;
  }

  /** The document of a schema, or a sentence with the reason why it is unavailable. */
  async document(
    name: string,
  ): Promise<{ readonly document: JsonSchema | undefined } | { readonly sentence: string }> {
    const [skill = "", file = ""] = name.split("/");
    const folder = this.#folders.get(skill);
    if (folder === undefined)
      return { sentence: `There is no skill ${skill} here, so there is no schema ${name}.` };
    const path = join(folder, `${file}.json`);
    if ((await this.#files.facts(path)) === undefined)
      return {
        sentence: `There is no schema ${name}: ${quotedName(path)} is missing${await this.#guess(folder, file)}`,
      };
    // Faults inside the file are reported for the file, not for each place that names it.
    const document = await readJson(this.#files, path, "", () => undefined);
    return { document: isObject(document) ? document : undefined };
  }

  /** The names in a folder; none if it cannot be listed, which `uncovered` reports. */
  async #names(folder: string): Promise<readonly string[]> {
    return (await this.#files.list(folder).catch(() => undefined)) ?? [];
  }

  /** The end of a sentence about a missing file, with one of a similar name. */
  async #guess(folder: string, file: string): Promise<string> {
    const names = await this.#names(folder);
    const same = names.find((name) => stemOf(name).toLowerCase() === file.toLowerCase());
    if (same !== undefined) return `; rename ${quotedName(same)}.`;
    const guess = nearest(file, names.map(stemOf));
    return guess === undefined ? "." : `; did you mean ${quotedName(guess)}?`;
  }

  /**
   * Every fault in the schema files of one skill, whose ids begin with one of its names. `config`: the name of the schema of its
   * settings; undefined if it is not known.
   */
  async check(
    skills: readonly string[],
    folder: string,
    config?: string,
  ): Promise<readonly ValidationFault[]> {
    const faults: ValidationFault[] = [];
    for (const name of await this.#names(folder)) {
      const ids = [stemOf(name), name.slice(0, -5)].flatMap((stem) =>
        skills.map((skill) => `${skill}/${stem}`),
      );
      if (name.endsWith(".json")) faults.push(...(await this.#checkFile(ids, join(folder, name), config)));
    }
    return faults;
  }

  async #checkFile(
    ids: readonly string[],
    path: string,
    config?: string,
  ): Promise<readonly ValidationFault[]> {
    const faults: ValidationFault[] = [];
    const report = reporterInto(faults, path, "SCHEMA_INVALID");
    const document = await readJson(this.#files, path, `${quotedName(path)} is missing.`, report);
    if (!isObject(document)) return faults;
    const lost = lostReferences(document);
    const compiled = lost.length > 0 ? { faults: lost } : this.#compile(document);
    const broken = "faults" in compiled ? compiled.faults : [];
    // A missing keyword may be a misspelt one that is reported already.
    const unusable = new Set(broken.map(({ pointer }) => pointer));
    const misspelt = broken.map(({ pointer }) => pointer.slice(0, pointer.lastIndexOf("/")));
    checkSchemaRules(
      document,
      ids.find((id) => id === document["$id"]) ?? ids[0] ?? "",
      (pointer, sentence, code, severity) => {
        if (misspelt.includes(pointer) || (severity === "warning" && unusable.has(pointer))) return;
        report(pointer, sentence, code, severity);
      },
      config,
    );
    // Faults at places that the conventions have already reported are left out.
    const known = new Set(faults.map(({ pointer }) => pointer).filter((at) => at !== ""));
    for (const { pointer, sentence } of broken) if (!known.has(pointer)) report(pointer, sentence);
    if ("faults" in compiled) return faults;
    // A part that refers to the whole schema has another meaning on its own.
    const parts = [...schemasIn(document)];
    const isRecursive = parts.some(({ part }) => [part["$ref"], part["$dynamicRef"]].includes("#"));
    for (const { pointer, part } of isRecursive ? [] : parts) {
      const examples = pointer === "" ? [] : examplesOf(part);
      if (!Object.hasOwn(part, "default") && examples.length === 0) continue;
      const own = this.#compile({ ...part, $defs: document["$defs"] ?? {} });
      if ("faults" in own) continue;
      const wrong = Object.hasOwn(part, "default") ? own.check(part["default"], "The value") : [];
      for (const fault of wrong) report(`${pointer}/default`, `The default does not fit: ${toAuthor(fault)}`);
      examples.forEach((example, index) => {
        for (const fault of own.check(example, "The value"))
          report(
            pointer + pointerOf("examples", index),
            `An example does not fit: ${toAuthor(fault)}`,
            undefined,
            "warning",
          );
      });
    }
    examplesOf(document).forEach((example, index) => {
      for (const fault of compiled.check(example, "The example")) {
        report(
          pointerOf("examples", index) + fault.pointer,
          `An example does not fit its own schema: ${toAuthor(fault)}`,
        );
      }
    });
    return faults;
  }
}

function examplesOf({ examples }: JsonSchema): readonly unknown[] {
  return Array.isArray(examples) ? examples : [];
}

/** The name of a schema file up to its first dot, since the name of a schema has none. */
function stemOf(name: string): string {
  const [stem = ""] = name.split(".");
  return stem;
}

/** The sentence of a fault in the words of the schema, which its author reads. */
function toAuthor({ pattern, pointer, sentence }: FullFault): string {
  if (pattern === undefined) return sentence;
  const hint = /^\/.*\/\w*$/s.test(pattern) ? ", whose first and last / are part of it: remove them" : "";
  const place = pointer === "" ? "The value" : quotedName(pointer);
  return `${place} does not match the pattern ${quotedName(pattern)}${hint}.`;
}
