import type { FieldSchema, StartForm } from "../../start-view.ts";
import { el } from "../dom.ts";

type Input = Readonly<Record<string, unknown>>;
type Entry = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** A field of a form: reads and writes the value of one property. `undefined`: the property is left out. */
interface Field {
  readonly entry: Entry;
  /** Remarks about values, shown after the description. */
  readonly about: readonly string[];
  /** @throws Error for a text that is not a value */
  readonly read: () => unknown;
  readonly write: (value: unknown) => void;
}

/** Properties that allow longer texts get a field with several lines. */
const LONGEST_LINE = 200;
let forms = 0;

/** The form of an input, made from the schemas of its properties. */
export class InputForm {
  readonly element: HTMLFormElement;
  readonly #fields: ReadonlyMap<string, Field>;

  #controller: AbortController | undefined;

  /** @param run receives the input and a signal, and settles when the call ends */
  constructor(form: StartForm, run: (input: Input, signal: AbortSignal) => Promise<void>) {
    const prefix = `form-${(forms += 1)}`;
    this.#fields = new Map(Object.entries(form.fields).map(([name, schema]) => [name, fieldOf(schema)]));
    const rows = [...this.#fields].map(([name, field]) =>
      rowOf(`${prefix}-${name}`, name, field, form.fields[name] ?? {}, form.required.includes(name)),
    );
    const go = el("button", { class: "go" }, form.method === "GET" ? "Make the page" : "Run");
    const cancel = button("Cancel", () => this.#controller?.abort());
    cancel.hidden = true;
    const examples = form.examples
      .filter((example) => Object.keys(example).length > 0)
      .map((example, index) => button(`Example ${index + 1}`, () => this.#write(example)));
    const buttons = el("div", { class: "buttons" }, go, cancel, ...examples);
    this.element = el("form", { "aria-label": form.name, autocomplete: "off" }, ...rows, buttons);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      const input = this.#controller ? undefined : this.#read();
      if (!input) return;
      this.#controller = new AbortController();
      cancel.hidden = false;
      void run(input, this.#controller.signal).finally(() => {
        this.#controller = undefined;
        if (document.activeElement === cancel) go.focus();
        cancel.hidden = true;
      });
    });
  }

  /** Moves the focus to the field of a JSON pointer. */
  point(pointer = ""): void {
    const field = this.#fields.get(pointer.replace(/^\/(?:query\/)?/, "").split("/")[0] ?? "");
    field?.entry.setAttribute("aria-invalid", "true");
    field?.entry.focus();
  }

  #read(): Input | undefined {
    const input: Record<string, unknown> = {};
    for (const [name, { entry, read }] of this.#fields) {
      entry.removeAttribute("aria-invalid");
      try {
        const value = read();
        if (value !== undefined) input[name] = value;
        entry.parentElement?.classList.toggle("unset", value === undefined);
      } catch (caught) {
        entry.setCustomValidity((caught as Error).message);
        entry.reportValidity();
        return undefined;
      }
    }
    return input;
  }

  #write(example: Input): void {
    for (const [name, { entry, write }] of this.#fields) {
      entry.setCustomValidity("");
      write(example[name]);
    }
  }
}

function button(text: string, click: () => void): HTMLButtonElement {
  return el("button", { type: "button", click }, text);
}

function rowOf(
  id: string,
  name: string,
  field: Field,
  schema: FieldSchema,
  isRequired: boolean,
): HTMLElement {
  const { entry, about } = field;
  entry.id = id;
  entry.required = isRequired;
  entry.setAttribute("aria-describedby", `${id}-about`);
  entry.addEventListener("input", () => entry.setCustomValidity(""));
  const isDefault = schema.default !== undefined;
  const told = [schema.description, ...about, ...(isDefault ? [`Default: ${textOf(schema.default)}.`] : [])];
  return el(
    "div",
    { class: "row unset" },
    el("label", { for: id }, name, ...(isRequired ? [" ", el("span", { class: "effect" }, "required")] : [])),
    entry,
    el("p", { id: `${id}-about`, class: "small" }, told.filter(Boolean).join(" ")),
  );
}

function fieldOf(schema: FieldSchema): Field {
  const values = valuesOf(schema);
  if (values) return choice(values, false);
  const { items, minimum, maximum, minItems, maxItems, maxLength = Infinity } = schema;
  const types = typesOf(schema);
  const [type = ""] = types.length === 1 ? types : [];
  if (type === "string") {
    const bounds = { minlength: schema.minLength, maxlength: schema.maxLength };
    return typed(bounded(maxLength > LONGEST_LINE ? area() : el("input"), bounds), [], String);
  }
  if (NUMBERS.includes(type)) {
    const entry = el("input", { type: "number", step: type === "integer" ? "1" : "any" });
    return typed(bounded(entry, { min: minimum, max: maximum }), rangeOf("", minimum, maximum), Number);
  }
  const listed = type === "array" && items && valuesOf(items);
  if (listed) return choice(listed, true);
  const inner = type === "array" && items ? typesOf(items) : [];
  const isNumbers = inner.length > 0 && inner.every((one) => NUMBERS.includes(one));
  if (isNumbers || inner.includes("string")) {
    const about = ["One entry per line, or a JSON array.", ...rangeOf(" entries", minItems, maxItems)];
    return typed(area(), about, isNumbers ? (text) => linesOf(text).map(Number) : linesOf, linedUp);
  }
  if (types.includes("string")) return typed(area(), ["Text, or JSON."], textOrJson);
  return typed(area(), ["JSON."], parsed, (value) => JSON.stringify(value, null, 2));
}

const NUMBERS = ["number", "integer"];

/** The types of a value, without null. */
function typesOf({ type, anyOf = [] }: FieldSchema): readonly string[] {
  const all = type === undefined ? anyOf.flatMap(typesOf) : [type].flat();
  return all.filter((one) => one !== "null");
}

/** The values to choose from, if they are listed. */
function valuesOf(schema: FieldSchema): readonly unknown[] | undefined {
  if (schema.const !== undefined) return [schema.const];
  return schema.enum ?? (typesOf(schema).join() === "boolean" ? [true, false] : undefined);
}

function choice(values: readonly unknown[], isList: boolean): Field {
  const options = values.map((value) => el("option", { value: JSON.stringify(value) }, textOf(value)));
  const size = String(Math.min(values.length, 6));
  const entry = isList
    ? el("select", { multiple: true, size }, ...options)
    : el("select", {}, el("option", { value: "" }), ...options);
  return {
    entry,
    about: isList ? ["Several can be chosen."] : [],
    read: () => {
      const chosen = options.filter(({ selected }) => selected).map(({ value }) => parsed(value));
      return chosen.length === 0 ? undefined : isList ? chosen : chosen[0];
    },
    write: (value) => {
      entry.selectedIndex = isList ? -1 : 0;
      const chosen = (isList ? [value].flat() : [value]).map((one) => JSON.stringify(one));
      for (const option of options) if (chosen.includes(option.value)) option.selected = true;
    },
  };
}

/** A field whose text is read as a value. */
function typed(
  entry: HTMLInputElement | HTMLTextAreaElement,
  about: readonly string[],
  parse: (text: string) => unknown,
  format = textOf,
): Field {
  return {
    entry,
    about,
    read: () => (entry.value.trim() === "" ? undefined : parse(entry.value)),
    write: (value) => void (entry.value = value === undefined ? "" : format(value)),
  };
}

function area(): HTMLTextAreaElement {
  return el("textarea", { rows: "2" });
}

function bounded<Bounded extends Entry>(
  entry: Bounded,
  bounds: Readonly<Record<string, number | undefined>>,
): Bounded {
  for (const [name, bound] of Object.entries(bounds))
    if (bound !== undefined) entry.setAttribute(name, String(bound));
  return entry;
}

function rangeOf(unit: string, least: number | undefined, most: number | undefined): readonly string[] {
  if (most === undefined) return least === undefined ? [] : [`At least ${least}${unit}.`];
  return [least === undefined ? `At most ${most}${unit}.` : `${least} to ${most}${unit}.`];
}

function linesOf(text: string): readonly unknown[] {
  if (text.trim().startsWith("[")) return parsed(text) as readonly unknown[];
  return text.split("\n").filter((line) => line.trim() !== "");
}

type Scalar = string | number | boolean | null;

/** The text of a list: one line per entry, or JSON if the lines would not be read as the same list. */
function linedUp(value: unknown): string {
  const all = value as readonly unknown[];
  const isPlain = all.every(
    (one) => typeof one !== "object" && !/\n|^\s*(?:\[|$)/.test(String(one as Scalar)),
  );
  return isPlain ? all.join("\n") : JSON.stringify(all, null, 2);
}

function textOrJson(text: string): unknown {
  return /^\s*[[{]/.test(text) ? parsed(text) : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (caught) {
    throw new Error(`This is not JSON: ${(caught as Error).message}`, { cause: caught });
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
