import { parse, type Expression, type ObjectExpression, type Program, type Property } from "acorn";

/** What a plugin has to have, by the names of a manifest. */
export type HandlerNames = Readonly<Record<"commands" | "routes" | "rules", readonly string[]>>;

/** What is wrong with the code of a skill, and with which handler; without one it is the whole file. */
export interface ModuleFault {
  readonly handler?: readonly [kind: string, name: string];
  readonly sentence: string;
}

/**
 * Why a module cannot be loaded or lacks a handler, as far as its text alone tells: it is no JavaScript, a `throw` stands at its
 * top level, or the plugin that it exports is written as an object without a name that the manifest has. Nothing is run.
 */
export function moduleFaults(text: string, wanted: HandlerNames): readonly ModuleFault[] {
  let program: Program;
  try {
    program = parse(text, {
      ecmaVersion: "latest",
      sourceType: "module",
      locations: true,
      allowHashBang: true,
    });
  } catch (caught) {
    return [{ sentence: `is no JavaScript module: ${(caught as SyntaxError).message}` }];
  }
  const thrown = program.body.find(({ type }) => type === "ThrowStatement");
  if (thrown) return [{ sentence: `throws as soon as it is loaded (line ${thrown.loc?.start.line})` }];
  const exported = program.body.find((one) => one.type === "ExportDefaultDeclaration")?.declaration;
  const isModule = program.body.some(({ type }) => type.startsWith("Export") || type.startsWith("Import"));
  if (isModule && !exported && !program.body.some(namesDefault))
    return [{ sentence: "has no default export" }];
  const plugin = objectOf(exported as Expression | undefined, program);
  return Object.entries(plugin ? wanted : {}).flatMap(([kind, names]) => {
    const given = plugin && propertiesOf(plugin);
    const value = given?.get(kind);
    const handlers = value === undefined ? undefined : objectOf(value, program);
    const known = handlers && propertiesOf(handlers);
    // What is not written as an object shows when it is loaded.
    if (!given || (value !== undefined && !known)) return [];
    return names
      .filter((name) => known?.has(name) !== true)
      .map((name): ModuleFault => ({ handler: [kind, name], sentence: `has no handler for "${name}"` }));
  });
}

/** `export { plugin as default }`, also from another file. */
function namesDefault(one: Program["body"][number]): boolean {
  return (
    one.type === "ExportNamedDeclaration" &&
    one.specifiers.some(({ exported }) => exported.type === "Identifier" && exported.name === "default")
  );
}

/** An object as it stands in the text, also behind a constant or `definePlugin(…)`. */
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

/** The properties by name; undefined where some only show when it is run. */
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
