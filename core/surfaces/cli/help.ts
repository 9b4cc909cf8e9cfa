import type { CommandEntry } from "../../catalog.ts";
import type { CodeEntry } from "../../errors/codes.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import { inputForm, label, placeholder, spelled, type Field, type InputForm } from "./form.ts";
import { table, wrapped } from "./text.ts";

/** The facts from which the help of a command is made. */
export interface HelpSources {
  readonly input: JsonSchema;
  /** Whether its result is drawn at a terminal. */
  readonly drawn: boolean;
  readonly columns: number;
  /** The row of an error code. */
  readonly codeEntry: (code: string) => CodeEntry;
}

/** `skillctl run SKILL COMMAND --help`: derived from the manifest and the input's schema. */
export function commandHelp(entry: CommandEntry, { input, drawn, columns, codeEntry }: HelpSources): string {
  const { command } = entry;
  const form = inputForm(input, command.positional);
  const flags = form.fields.filter((field) => field.flag !== undefined && !form.positional.includes(field));
  const plain = form.fields.filter((field) => field.flag === undefined && !form.positional.includes(field));
  const rows = (fields: readonly Field[], name: (field: Field) => string) =>
    table(
      fields.map((field) => [name(field), fieldText(field, form)]),
      columns,
    );
  const own: [string, string][] = [
    ["--input JSON", "The whole input as one JSON document; - reads it from standard input."],
  ];
  if (drawn) own.push(["--raw", "The unchanged answer at a terminal as well, without drawn tables."]);
  return [
    `${wrapped(command.summary, columns)}\n`,
    `Usage:\n  ${wrapped(usageLine(entry, form), columns, 6)}\n`,
    section("Arguments", rows(form.positional, placeholder)),
    section("Flags", rows(flags, flagName) + table(own, columns)),
    section(
      "Only with --input",
      rows(plain, ({ name }) => name),
    ),
    section("Exit status", table(exitRows(entry, codeEntry), columns)),
    "Flags for every verb: skillctl --help\n",
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** `skillctl run SKILL COMMAND ARGS`, as a person types it. */
export function usageLine({ skill, name, command }: CommandEntry, form: InputForm): string {
  const positional = form.positional.map((field, index) => {
    const word =
      field.list && index === form.positional.length - 1 ? `${placeholder(field)}...` : placeholder(field);
    return field.required ? word : `[${word}]`;
  });
  const flags = form.fields
    .filter((field) => field.flag !== undefined && !form.positional.includes(field))
    .map((field) => (field.required ? flagName(field) : `[${flagName(field)}]`));
  const called = command.default ? `[${name}]` : name;
  return ["skillctl run", skill, called, ...positional, ...flags].join(" ");
}

/** `skillctl run SKILL --help`. */
export function skillHelp(
  { name, summary }: { readonly name: string; readonly summary: string },
  commands: readonly CommandEntry[],
  columns: number,
): string {
  const rows = commands.map(({ name: called, command }): [string, string] => [
    command.default ? `${called} (default)` : called,
    command.summary,
  ]);
  return [
    `${wrapped(summary, columns)}\n`,
    `${wrapped(`Usage: skillctl run ${name} [COMMAND] [ARGS...]`, columns, 2)}\n`,
    section("Commands", table(rows, columns)),
    `${wrapped(`Help for a command: skillctl run ${name} COMMAND --help`, columns, 2)}\n`,
  ].join("\n");
}

function flagName(field: Field): string {
  const negation = field.negatable ? ` | --no-${field.flag}` : "";
  if (field.isSwitch) return `--${field.flag}${negation}`;
  return `--${field.flag} ${valueName(field)}`;
}

const TYPES: Readonly<Record<Field["types"][number], string>> = {
  string: "text",
  integer: "integer",
  number: "number",
  boolean: "on or off",
  array: "JSON",
  object: "JSON",
  null: "null",
};

/** The form of a flag's value: `INTEGER`, `fast|slow`. */
function valueName({ choices, types }: Field): string {
  if (choices) return choices.length <= 4 ? choices.map(spelled).join("|") : "CHOICE";
  const names = types.map((type) => (type === "boolean" ? "true|false" : TYPES[type].toUpperCase()));
  return [...new Set(names)].filter((name) => name !== "NULL").join("|");
}

/**
 * Description, type, bounds, choices and default of a field, as sentences. Properties that the description names in backticks
 * are shown as they are typed.
 */
export function fieldText(shown: Field, form?: InputForm): string {
  const { schema, list, required, types, choices } = shown;
  const values = (list ? (schema["items"] ?? {}) : schema) as JsonSchema;
  const { minLength, maxLength, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = values;
  const { description = "", minItems, maxItems } = schema;
  const named = types.filter((type) => type !== "null").map((type) => TYPES[type]);
  const facts = [
    [...new Set(named)].join(" or ") || "null",
    span(minimum, maximum),
    exclusiveMinimum !== undefined && `more than ${spelled(exclusiveMinimum)}`,
    exclusiveMaximum !== undefined && `less than ${spelled(exclusiveMaximum)}`,
    span(minLength, maxLength, " characters"),
    format,
    list && `repeatable ${span(minItems, maxItems, " times")}`.trim(),
    choices && `one of ${choices.map(spelled).join(", ")}`,
    Object.hasOwn(schema, "default") && `default ${spelled(schema["default"])}`,
    schema["secret"] === true && "secret, from a variable or the key ring: see `skillctl secret --help`",
    required && "required",
  ];
  const told = facts.filter((fact) => typeof fact === "string" && fact !== "");
  const text = String(description).replaceAll(/`([^`]+)`/g, (mention, name: string) => {
    const field = form?.fields.find((one) => one.name === name && one !== shown);
    return field && form ? label(field, form) : mention;
  });
  return `${text} (${told.join("; ")})`.trim();
}

function span(least: unknown, most: unknown, unit = ""): string {
  if (least === undefined && most === undefined) return "";
  if (least === undefined) return `at most ${spelled(most)}${unit}`;
  if (most === undefined) return `at least ${spelled(least)}${unit}`;
  return `${least === most ? spelled(least) : `${spelled(least)} to ${spelled(most)}`}${unit}`;
}

function exitRows(
  { command }: CommandEntry,
  codeEntry: HelpSources["codeEntry"],
): readonly [string, string][] {
  const { errors = [], exitStatus = {} } = command;
  const rows = errors.map((code): [string, string] => [
    String(exitStatus[code] ?? exitStatus["other"] ?? codeEntry(code).exit),
    `${code}: ${codeEntry(code).summary}`,
  ]);
  const rest: [string, string][] =
    exitStatus["other"] === undefined ? [] : [[String(exitStatus["other"]), "Any other error."]];
  return [["0", "Success."], ...rows, ...rest];
}

function section(title: string, rows: string): string {
  return rows === "" ? "" : `${title}:\n${rows}`;
}
