import { parse, type Expression, type ObjectExpression, type Program, type Property } from "acorn";

/** The names of handlers in a manifest. */
export type HandlerNames = Readonly<Record<"commands" | "routes" | "rules", readonly string[]>>;

/** A fault in the code of a skill, and the handler that it concerns; without one, the whole file. */
export interface ModuleFault {
  readonly handler?: readonly [kind: string, name: string];
  readonly sentence: string;
}

/**
 * Reasons, visible in its text, why a module cannot be loaded or lacks a handler: it is not JavaScript, it has a `throw` at
 * top level, or its exported plugin is an object literal without a name of the manifest. Runs no code.
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
    // Other expressions are checked when the module is loaded.
    if (!given || (value !== undefined && !known)) return [];
    return names
      .filter((name) => known?.has(name) !== true)
      .map((name): ModuleFault => ({ handler: [kind, name], sentence: `has no handler for "${name}"` }));
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
