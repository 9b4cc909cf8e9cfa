/** The skills of a server as its start page shows them. */
export interface StartView {
  readonly version: string;
  readonly skills: readonly StartSkill[];
}

export interface StartSkill {
  readonly name: string;
  readonly summary: string;
  readonly forms: readonly StartForm[];
  /** Paths of its documents, as `/v1/page/document?path=` takes them. */
  readonly documents: readonly string[];
}

/** A command, or a route that returns a page. */
export interface StartForm {
  readonly name: string;
  readonly summary: string;
  /** A route is called with GET, a command with POST. */
  readonly method: "GET" | "POST";
  readonly address: string;
  readonly effect: "reads only" | "may destroy" | "";
  /** The schemas of the properties, without references at their top. */
  readonly fields: Readonly<Record<string, FieldSchema>>;
  readonly required: readonly string[];
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

/** The keywords of a schema that determine a field. */
export interface FieldSchema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
}
