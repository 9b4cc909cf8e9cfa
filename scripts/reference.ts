/** The exports of the package with their docstrings, as the blocks of docs/reference.md show them. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path/posix";
import { parseSync } from "oxc-parser";

type Name = { readonly name: string };

/** A node of a syntax tree, with the properties that are used here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly id?: Name | null;
  readonly name?: string;
  readonly source?: { readonly value: string } | null;
  readonly declaration?: Node | null;
  readonly declarations?: readonly { readonly id: Name }[];
  readonly specifiers?: readonly {
    readonly local: Name;
    readonly imported?: Name;
    readonly exported?: Name;
  }[];
  readonly exportKind?: string;
  readonly typeName?: Node;
  readonly expression?: Node;
  readonly superClass?: Node | null;
}

/** A declaration as the compiler writes it. */
interface Declaration {
  readonly name: string;
  readonly file: string;
  readonly doc: string;
  readonly code: string;
  /** The names of types in it. */
  readonly names: readonly string[];
  readonly isExported: boolean;
}

interface Module {
  readonly declarations: Map<string, Declaration>;
  /** Imported and re-exported names, and where they come from. */
  readonly origins: Map<string, readonly [file: string, name: string]>;
  readonly exported: Set<string>;
}

/** A block of the page: an entry point, and the exports that are shown. A name stands for all that differ from it only in case. */
const BLOCK = /(<!-- (skillctl\S*):([\w\s]+?)-->\n).*?(<!-- end -->)/gs;
const CONTENTS = /(<!-- contents -->\n).*?(<!-- end -->)/s;
/** The types in this file are generated from schemas; the page links to the schema. */
const SCHEMAS = "core/contract.d.ts";

/** The page with its blocks filled, and a sentence for each export that it cannot show correctly. */
export function withReference(page: string): { readonly page: string; readonly faults: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), "skillctl-reference-"));
  try {
    const options = ["-p", "tsconfig.build.json", "--noCheck", "--outDir", folder];
    execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", ...options], { stdio: "inherit" });
    return new Reference(folder).filled(page);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

class Reference {
  readonly #folder: string;
  readonly #modules = new Map<string, Module>();
  /** Files by entry point. */
  readonly #entries = new Map<string, string>();
  /** The declarations that the page shows. */
  readonly #shown = new Set<Declaration>();

  constructor(folder: string) {
    this.#folder = folder;
    const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
      readonly exports: Readonly<Record<string, { readonly types?: string }>>;
    };
    for (const [path, { types }] of Object.entries(exports))
      if (types !== undefined) this.#entries.set(join("skillctl", path), types.replace("./dist/types/", ""));
  }

  filled(page: string): ReturnType<typeof withReference> {
    for (const [, , entry = "", names = ""] of page.matchAll(BLOCK))
      for (const name of wordsOf(names)) for (const one of this.#group(entry, name)) this.#shown.add(one);
    const filled = page.replaceAll(BLOCK, (_, begin: string, entry: string, names: string, end: string) =>
      [begin, ...wordsOf(names).map((name) => this.#item(entry, name)), end].join("\n"),
    );
    return {
      page: filled.replace(CONTENTS, (_, begin: string, end: string) => begin + contentsOf(filled) + end),
      faults: this.#faults(),
    };
  }

  #faults(): readonly string[] {
    const faults: string[] = [];
    for (const [entry, file] of this.#entries)
      for (const name of this.#module(file).exported) {
        const found = this.#find(file, name);
        if (found && !this.#shown.has(found))
          faults.push(`${name} of ${entry} is in no block of docs/reference.md.`);
      }
    for (const one of this.#shown) {
      const { name, file, doc, code } = one;
      // A token is documented by its port.
      if (doc === "" && !/^const \w+: Token</.test(code)) faults.push(`${name} has no docstring (${file}).`);
      for (const other of this.#named(one))
        if (other.isExported && other.file !== SCHEMAS && !this.#shown.has(other))
          faults.push(`${name} names ${other.name} (${other.file}), which no entry point exports.`);
    }
    return faults;
  }

  /** The exports of an entry point that share a heading. */
  #group(entry: string, name: string): readonly Declaration[] {
    const file = this.#entries.get(entry) ?? "";
    const names = file === "" ? [] : [...this.#module(file).exported];
    const group = names.filter((one) => one.toLowerCase() === name.toLowerCase());
    if (group.length === 0)
      throw new Error(`docs/reference.md shows ${name}, which ${entry} does not export.`);
    return group.flatMap((one) => this.#find(file, one) ?? []);
  }

  #item(entry: string, name: string): string {
    const parts = new Set(this.#group(entry, name));
    // The loop also visits the types that it adds to the set: those of the same file that are not exported.
    for (const part of parts) for (const one of this.#named(part)) if (!one.isExported) parts.add(one);
    const all = [...parts];
    const links = all.flatMap((part) => this.#named(part)).flatMap((one) => this.#link(one, parts));
    return [
      `### ${name}\n`,
      ...all.flatMap(({ doc, isExported }) => (isExported && doc !== "" ? [`${doc}\n`] : [])),
      `\`\`\`ts\n${all.map(({ code }) => code).join("\n")}\n\`\`\`\n`,
      ...(links.length > 0 ? [`See ${[...new Set(links)].join(", ")}.\n`] : []),
    ].join("\n");
  }

  #link(one: Declaration, parts: ReadonlySet<Declaration>): readonly string[] {
    if (this.#shown.has(one) && !parts.has(one)) return [`[${one.name}](#${anchorOf(one.name)})`];
    const schema = `schemas/core/${one.name.replaceAll(/(?<=.)[A-Z]/g, "-$&").toLowerCase()}.json`;
    return one.file === SCHEMAS && existsSync(schema) ? [`[${schema}](../${schema})`] : [];
  }

  /** The declarations that a declaration names. */
  #named({ file, names }: Declaration): readonly Declaration[] {
    return names.flatMap((name) => this.#find(file, name) ?? []);
  }

  #find(file: string, name: string): Declaration | undefined {
    const { declarations, origins } = this.#module(file);
    const origin = origins.get(name);
    return declarations.get(name) ?? (origin && this.#find(...origin));
  }

  #module(file: string): Module {
    const known = this.#modules.get(file);
    if (known) return known;
    const module: Module = { declarations: new Map(), origins: new Map(), exported: new Set() };
    this.#modules.set(file, module);
    const text = readFileSync(join(this.#folder, file), "utf8");
    const { program, comments } = parseSync(file, text);
    for (const statement of program.body as unknown as readonly Node[]) {
      const from = statement.source ? this.#fileOf(file, statement.source.value) : undefined;
      for (const { local, imported, exported } of statement.specifiers ?? []) {
        if (exported) module.exported.add(exported.name);
        if (from !== undefined)
          module.origins.set((exported ?? local).name, [from, (imported ?? local).name]);
      }
      if (statement.type === "ExportAllDeclaration" && from !== undefined)
        for (const name of this.#module(from).exported) {
          const isValue = this.#find(from, name)?.code.startsWith("const ") === true;
          if (isValue && statement.exportKind === "type") continue;
          module.origins.set(name, [from, name]);
          module.exported.add(name);
        }
      const node = statement.declaration ?? statement;
      const name = node.id?.name ?? node.declarations?.[0]?.id.name;
      if (name === undefined || node.type === "TSModuleDeclaration") continue;
      const isExported = node !== statement;
      if (isExported) module.exported.add(name);
      const before = comments.findLast(({ end }) => end <= statement.start);
      const isDoc = text.slice(before?.end, statement.start).trim() === "";
      const doc = before && isDoc ? markdownOf(before.value) : "";
      const shown = { code: codeOf(text, node), names: [...namesIn(node)] };
      module.declarations.set(name, { name, file, doc, ...shown, isExported });
    }
    return module;
  }

  /** The file of an imported module; undefined for a package. */
  #fileOf(file: string, specifier: string): string | undefined {
    const isOwn = specifier.startsWith(".");
    return isOwn ? join(dirname(file), specifier.replace(/ts$/, "d.ts")) : this.#entries.get(specifier);
  }
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** The fragment that GitHub gives a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}

/** A line for each section of a page, with its exports. */
function contentsOf(page: string): string {
  const headings = page.replaceAll(/^```.*?^```$/gms, "").matchAll(/^##(#?) (.*)$/gm);
  const links = [...headings].map(([, deep, title = ""]) => {
    const link = `[${title}](#${anchorOf(title)})`;
    return deep ? ` ${link}` : `\n- **${link}**:`;
  });
  return `${links.join("").trimStart()}\n`;
}

/** A docstring as Markdown. */
function markdownOf(comment: string): string {
  return comment
    .slice(1)
    .split("\n")
    .map((line) => line.trim().replace(/^\* ?/, ""))
    .join("\n")
    .replaceAll(/\{@link (\w+)\}/g, (_, name: string) => `[${name}](#${anchorOf(name)})`)
    .replaceAll(/\bdocs\/([\w-]+\.md)/g, "[$1]($1)")
    .replaceAll(/\s*@throws /g, "\n\nThrows ")
    .trim();
}

/** A declaration without its private members, which have no types here. */
function codeOf(text: string, { start, end }: Node): string {
  return text
    .slice(start, end)
    .replace(/^declare /, "")
    .replaceAll(/^ +(?:#private|private .*);\n/gm, "")
    .replaceAll(/import\("[^"]*"\)\./g, "")
    .replaceAll(/\{@link (\w+)\}/g, "`$1`")
    .replaceAll(/^( +)\1/gm, "$1");
}

/** The names of the types that a node refers to. */
function* namesIn(node: unknown): Generator<string> {
  if (typeof node !== "object" || node === null) return;
  const { type, typeName, expression, superClass } = node as Node;
  const isHeritage = type === "TSInterfaceHeritage" || type === "TSClassImplements";
  for (const one of [typeName, superClass, isHeritage ? expression : undefined])
    if (one?.name !== undefined) yield one.name;
  for (const child of Object.values(node)) yield* namesIn(child);
}
