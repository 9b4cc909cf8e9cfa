import {
  parse,
  type Expression,
  type NewExpression,
  type ObjectExpression,
  type Program,
  type Property,
} from "acorn";

/** The names of handlers in a manifest. */
export type HandlerNames = Readonly<Record<"commands" | "routes" | "rules", readonly string[]>>;

/** A fault in the code of a skill, and the affected handler; without one, the whole file. */
export interface ModuleFault {
  readonly handler?: readonly [kind: string, name: string];
  readonly sentence: string;
}

/** How Node loads a file of code; `syntax`: neither its name nor a package.json decides, and Node examines its text. */
export interface ModuleFormat {
  readonly kind: "module" | "commonjs" | "syntax";
  /** The reason, as the subject of a sentence. */
  readonly reason: string;
  /** From TypeScript. */
  readonly isCompiled?: boolean;
}

/**
 * Reasons, visible in its text, why a module cannot be loaded or lacks a handler: it is not JavaScript, it has a `throw` at
 * top level, it is an ES module that Node loads as CommonJS or the reverse, or its exported plugin is an object literal
 * without a name of the manifest. Runs no code.
 */
export function moduleFaults(
  text: string,
  wanted: HandlerNames,
  { kind, reason, isCompiled = false }: ModuleFormat,
): readonly ModuleFault[] {
  const program = programOf(text, kind);
  if ("sentence" in program) return [program];
  const thrown = program.body.find(({ type }) => type === "ThrowStatement");
  if (thrown) return [{ sentence: `throws as soon as it is loaded (line ${lineOf(thrown)})` }];
  const esModule = program.body.find(({ type }) => type.startsWith("Export") || type.startsWith("Import"));
  const hasOwn = program.body.some((one) => declares(one, "require"));
  const common = program.body.find((one) => commonExport(one) !== undefined || (!hasOwn && requires(one)));
  if (kind === "commonjs" && esModule)
    return [
      {
        sentence: `is an ES module (line ${lineOf(esModule)}), but ${reason} makes it CommonJS: ${TO_COMMON}`,
      },
    ];
  if (esModule && common && commonExport(common) === undefined)
    return [
      { sentence: `calls require (line ${lineOf(common)}), which an ES module does not have: use import` },
    ];
  if (common && (kind === "module" || esModule)) {
    const cause = kind === "module" ? reason : `the import or export in line ${lineOf(esModule)}`;
    return [
      {
        sentence: `is CommonJS code (line ${lineOf(common)}), but ${cause} makes it an ES module: ${isCompiled ? COMPILED : TO_MODULE}`,
      },
    ];
  }
  const isModule = kind === "module" || esModule !== undefined;
  const byDefault = program.body.find((one) => one.type === "ExportDefaultDeclaration")?.declaration;
  if (isModule && !byDefault && !program.body.some(namesDefault))
    return [{ sentence: "has no default export" }];
  const exported = byDefault ?? program.body.map(commonExport).find((one) => one !== undefined);
  const plugin = objectOf(exported as Expression | undefined, program);
  return Object.entries(plugin ? wanted : {}).flatMap(([kind, names]) => {
    const given = plugin && propertiesOf(plugin);
    const value = given?.get(kind);
    const handlers = value === undefined ? undefined : objectOf(value, program);
    const known = handlers && propertiesOf(handlers);
    // Other expressions are checked when the module is loaded.
    if (!given || (value !== undefined && !known)) return [];
    return names
      .filter((name) => known?.has(name) !== true)
      .map((name): ModuleFault => ({ handler: [kind, name], sentence: `has no handler for "${name}"` }));
  });
}

/** The codes that a module gives to `new SkillError`, each with its first line. */
export function thrownCodes(text: string, { kind }: ModuleFormat): ReadonlyMap<string, number> {
  const codes = new Map<string, number>();
  const open: unknown[] = text.includes("SkillError") ? [programOf(text, kind)] : [];
  // Without recursion: a generated module can be nested deep.
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== "object" || node === null) continue;
    for (const part of Object.values(node)) if (typeof part === "object" && part !== null) open.push(part);
    const { type, callee, arguments: [code] = [], loc } = node as Partial<NewExpression>;
    if (type !== "NewExpression" || callee?.type !== "Identifier" || callee.name !== "SkillError") continue;
    if (code?.type !== "Literal" || typeof code.value !== "string") continue;
    const line = loc?.start.line ?? 1;
    codes.set(code.value, Math.min(line, codes.get(code.value) ?? line));
  }
  return codes;
}

const TO_MODULE =
  'use import and export default, or rename it to .cjs and name the file as "plugin" in skill.json';
const COMPILED = 'compile it to a module ("module": "nodenext" in tsconfig.json)';
const TO_COMMON =
  'use require and module.exports, or rename it to .mjs and name the file as "plugin" in skill.json';

function lineOf(node: Program["body"][number] | undefined): number | undefined {
  return node?.loc?.start.line;
}

/** Both kinds of code; syntax that only CommonJS allows, such as `return` at top level, does not parse as a module. */
function programOf(text: string, kind: ModuleFormat["kind"]): Program | ModuleFault {
  const options = { ecmaVersion: "latest", locations: true, allowHashBang: true } as const;
  try {
    return parse(text, { ...options, sourceType: "module" });
  } catch (caught) {
    const fault = { sentence: `is not a JavaScript module: ${(caught as SyntaxError).message}` };
    if (kind === "module") return fault;
    try {
      return parse(text, { ...options, sourceType: "script", allowReturnOutsideFunction: true });
    } catch {
      return fault;
    }
  }
}

/** The value that a statement assigns to `module.exports` or to a property of `exports`. */
function commonExport(one: Program["body"][number]): Expression | undefined {
  if (one.type !== "ExpressionStatement" || one.expression.type !== "AssignmentExpression") return undefined;
  const { left, right } = one.expression;
  if (left.type !== "MemberExpression" || left.object.type !== "Identifier") return undefined;
  const { name } = left.object;
  const property = left.property.type === "Identifier" ? left.property.name : undefined;
  return name === "exports" || (name === "module" && property === "exports") ? right : undefined;
}

function declares(one: Program["body"][number], name: string): boolean {
  return (
    one.type === "VariableDeclaration" &&
    one.declarations.some(({ id }) => id.type === "Identifier" && id.name === name)
  );
}

/** Whether a statement declares a variable by `require(…)`. */
function requires(one: Program["body"][number]): boolean {
  if (one.type !== "VariableDeclaration") return false;
  return one.declarations.some(({ init }) => {
    const callee = init?.type === "CallExpression" ? init.callee : undefined;
    return callee?.type === "Identifier" && callee.name === "require";
  });
}

/** Whether a statement is `export { plugin as default }`, also from another file. */
function namesDefault(one: Program["body"][number]): boolean {
  return (
    one.type === "ExportNamedDeclaration" &&
    one.specifiers.some(({ exported }) => exported.type === "Identifier" && exported.name === "default")
  );
}

/** The object literal of an expression, also through a constant or `definePlugin(…)`. */
function objectOf(
  expression: Expression | undefined,
  program: Program,
  depth = 0,
): ObjectExpression | undefined {
  if (!expression || depth > 4) return undefined;
  if (expression.type === "ObjectExpression") return expression;
  const { callee } = expression as { readonly callee?: { readonly name?: string } };
  if (expression.type === "CallExpression" && callee?.name === "definePlugin")
    return objectOf(expression.arguments[0] as Expression, program, depth + 1);
  if (expression.type !== "Identifier") return undefined;
  for (const statement of program.body) {
    if (statement.type !== "VariableDeclaration") continue;
    for (const { id, init } of statement.declarations)
      if (id.type === "Identifier" && id.name === expression.name)
        return objectOf(init ?? undefined, program, depth + 1);
  }
  return undefined;
}

/** The properties by name; undefined if some are only known at run time. */
function propertiesOf({ properties }: ObjectExpression): ReadonlyMap<string, Expression> | undefined {
  const isPlain = (one: ObjectExpression["properties"][number]): one is Property =>
    one.type === "Property" && !one.computed;
  if (!properties.every(isPlain)) return undefined;
  return new Map(
    properties.map(({ key, value }) => [
      key.type === "Identifier" ? key.name : String((key as { readonly value?: unknown }).value),
      value,
    ]),
  );
}
