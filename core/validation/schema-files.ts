import { join } from "node:path";
import type { Files } from "../ports/files.ts";
import type { JsonSchema } from "../schema/schemas.ts";
import type { Compiler } from "./compiler.ts";
import { isObject } from "../schema/json.ts";
import { pointerOf } from "../schema/fault.ts";
import { complainInto, type ValidationFault, readJson } from "./json-file.ts";
import { checkSchemaRules, lostReferences } from "./schema-rules.ts";
import { quotedName } from "../quoted-name.ts";

/** The schema files of the skills that are known to a validation. */
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

  /** The document of a schema name, or the sentence that says why there is none. */
  async document(
    name: string,
  ): Promise<{ readonly document: JsonSchema | undefined } | { readonly sentence: string }> {
    const [skill = "", file = ""] = name.split("/");
    const folder = this.#folders.get(skill);
    if (folder === undefined)
      return { sentence: `There is no skill ${skill} here, so there is no schema ${name}.` };
    const path = join(folder, `${file}.json`);
    if ((await this.#files.facts(path)) === undefined)
      return { sentence: `There is no schema ${name}: ${quotedName(path)} is missing.` };
    // What is wrong inside the file is told of the file, not of each place that names it.
    const document = await readJson(this.#files, path, "", () => undefined);
    return { document: isObject(document) ? document : undefined };
  }

  /** Every fault of every schema file of one skill. */
  async check(skill: string, folder: string): Promise<readonly ValidationFault[]> {
    const faults: ValidationFault[] = [];
    for (const name of (await this.#files.list(folder)) ?? []) {
      if (name.endsWith(".json"))
        faults.push(...(await this.#checkFile(`${skill}/${name.slice(0, -5)}`, join(folder, name))));
    }
    return faults;
  }

  async #checkFile(id: string, path: string): Promise<readonly ValidationFault[]> {
    const faults: ValidationFault[] = [];
    const complain = complainInto(faults, path, "SCHEMA_INVALID");
    const document = await readJson(this.#files, path, `${quotedName(path)} is missing.`, complain);
    if (!isObject(document)) return faults;
    const lost = lostReferences(document);
    const compiled = lost.length > 0 ? { faults: lost } : this.#compile(document);
    const broken = "faults" in compiled ? compiled.faults : [];
    // What a schema lacks may be what stands in it misspelt.
    const misspelt = broken.map(({ pointer }) => pointer.slice(0, pointer.lastIndexOf("/")));
    checkSchemaRules(document, id, (pointer, sentence) => {
      if (!misspelt.includes(pointer)) complain(pointer, sentence);
    });
    for (const { pointer, sentence } of broken) complain(pointer, sentence);
    if ("faults" in compiled) return faults;
    const examples = Array.isArray(document["examples"]) ? document["examples"] : [];
    examples.forEach((example, index) => {
      for (const fault of compiled.check(example, "The example")) {
        complain(
          pointerOf("examples", index) + fault.pointer,
          `An example does not fit its own schema: ${fault.sentence}`,
        );
      }
    });
    return faults;
  }
}
