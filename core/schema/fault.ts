import { nearest } from "../nearest.ts";
import { quotedName } from "../quoted-name.ts";

/** The part of a validator's error that is read here; Ajv's, precompiled or not, has it. */
export interface ValidatorError {
  readonly instancePath: string;
  /** Pointer to the keyword in the schema, after `#`. */
  readonly schemaPath?: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** Set if the name of a property, and not a value, does not fit. */
  readonly propertyName?: string;
}

/** A mismatch between a value and its schema, as one sentence with a pointer. */
export interface Fault {
  /** JSON pointer; "" is the whole value. */
  readonly pointer: string;
  readonly keyword: string;
  readonly sentence: string;
}

/** A JSON pointer of keys (RFC 6901). */
export function pointerOf(...keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The first error of a validator as a fault. `whole` names the value in sentences about all of it. */
export function faultOf(errors: readonly ValidatorError[], whole = "The value"): Fault {
  const error = ofNearestBranch(errors.filter(({ keyword }) => keyword !== "if")) ?? errors[0];
  if (!error) return { pointer: "", keyword: "", sentence: `${whole} does not fit.` };
  const { params, keyword } = error;
  const key =
    params["missingProperty"] ??
    params["additionalProperty"] ??
    params["unevaluatedProperty"] ??
    params["propertyName"] ??
    error.propertyName;
  const pointer = typeof key === "string" ? error.instancePath + pointerOf(key) : error.instancePath;
  const place = pointer === "" ? whole : quotedName(pointer);
  return { pointer, keyword, sentence: `${place} ${complaint(error)}.`.replace(/\?\.$/, "?") };
}

/**
 * The first error. In a choice, where every branch has errors, that of the branch that accepts most of the value, which
 * is the one with the deepest error; if the branches differ only in type, one error with all their types.
 */
function ofNearestBranch(errors: readonly ValidatorError[]): ValidatorError | undefined {
  const [first] = errors;
  const choice =
    first?.schemaPath === undefined ? null : /^(.*?\/(?:anyOf|oneOf)\/)\d+\//.exec(first.schemaPath);
  if (!first || !choice) return first;
  const branches = new Map<string, ValidatorError>();
  for (const error of errors) {
    const branch = /^\d+(?=\/)/.exec((error.schemaPath ?? "").slice(choice[1]?.length))?.[0];
    if (error.schemaPath?.startsWith(choice[1] ?? "") && branch !== undefined && !branches.has(branch))
      branches.set(branch, error);
  }
  const all = [...branches.values()];
  if (all.every(({ keyword, instancePath }) => keyword === "type" && instancePath === first.instancePath))
    return { ...first, params: { type: [...new Set(all.flatMap(({ params }) => params["type"]))] } };
  const depth = ({ instancePath, keyword }: ValidatorError): number =>
    2 * instancePath.split("/").length - Number(keyword === "type");
  return all.reduce((best, error) => (depth(error) > depth(best) ? error : best));
}

function complaint(error: ValidatorError): string {
  const { keyword, params, message, propertyName } = error;
  const limit = Number(params["limit"]);
  if (propertyName !== undefined) {
    const { propertyName: _name, ...own } = error;
    const reason = keyword === "pattern" ? (message ?? "it does not fit") : `it ${complaint(own)}`;
    return `is not an allowed name: ${reason}`;
  }
  switch (keyword) {
    case "required":
      return "is missing";
    case "dependentRequired":
    case "dependencies":
      return `is missing, and ${String(params["property"])} needs it`;
    case "false schema":
      return "must be left out";
    case "additionalProperties":
    case "unevaluatedProperties": {
      const known = knownIn(params);
      const guess = nearest(String(params["additionalProperty"] ?? params["unevaluatedProperty"]), known);
      const remedy = guess === undefined ? `known: ${known.join(", ")}` : `did you mean ${guess}?`;
      return `is not a known property${known.length > 0 ? `; ${remedy}` : ""}`;
    }
    case "propertyNames":
      return "is not an allowed name";
    case "enum":
      return `must be one of ${(params["allowedValues"] as readonly unknown[]).map((v) => JSON.stringify(v)).join(", ")}`;
    case "const":
      return `must be ${JSON.stringify(params["allowedValue"])}`;
    case "minLength":
    case "minItems":
    case "minProperties":
      return limit === 1 ? "must not be empty" : `must have at least ${counted(limit, keyword)}`;
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return limit === 0 ? "must be empty" : `must have at most ${counted(limit, keyword)}`;
    case "items":
    case "additionalItems":
    case "unevaluatedItems":
      return `must have at most ${counted(Number(params["limit"] ?? params["len"]), "maxItems")}`;
    case "contains": {
      const [least, most] = [Number(params["minContains"]), params["maxContains"]];
      const atMost = Number.isFinite(most) ? ` and at most ${String(most)}` : "";
      return `must have at least ${counted(least, "minItems")}${atMost} matching "contains" of its schema`;
    }
    case "minimum":
      return `must be at least ${limit}`;
    case "maximum":
      return `must be at most ${limit}`;
    case "exclusiveMinimum":
      return `must be more than ${limit}`;
    case "exclusiveMaximum":
      return `must be less than ${limit}`;
    case "multipleOf":
      return `must be a multiple of ${String(params["multipleOf"])}`;
    case "uniqueItems":
      return `must not contain equal items (${String(params["j"])} and ${String(params["i"])})`;
    case "oneOf":
      return Array.isArray(params["passingSchemas"]) ? "fits more than one of the allowed forms" : NO_FORM;
    case "anyOf":
      return NO_FORM;
    case "format":
      return `must be ${FORMATS[String(params["format"])] ?? `a value of the format ${String(params["format"])}`}`;
    case "pattern":
      return params["pattern"] === "\\S" ? "must not be blank" : `does not fit: ${message}`;
    case "type":
      return `must be ${article(params["type"])}`;
    default:
      return message ?? "does not fit";
  }
}

const NO_FORM = "has none of the allowed forms";

/** The formats of JSON Schema, as the rest of "must be". */
const FORMATS: Readonly<Record<string, string>> = {
  date: "a date that exists, such as 2026-11-28",
  time: "a time with its zone such as 14:30:00Z",
  "date-time": "a date and time that exist, such as 2026-11-28T14:30:00Z",
  duration: "a duration such as PT30M",
  email: "an email address",
  hostname: "the name of a host",
  ipv4: "an IPv4 address such as 192.0.2.1",
  ipv6: "an IPv6 address such as 2001:db8::1",
  uri: "an address such as https://music.example/",
  "uri-reference": "an address or a part of one",
  url: "an address such as https://music.example/",
  uuid: "a UUID",
  regex: "a regular expression",
  "json-pointer": "a JSON pointer such as /name",
};

/** "2 characters" */
function counted(count: number, keyword: string): string {
  const one = keyword.endsWith("Length") ? "character" : keyword.endsWith("Items") ? "item" : "property";
  return `${count} ${count === 1 ? one : one === "property" ? "properties" : `${one}s`}`;
}

/** The names of the known properties, which ajv.ts writes one per line. */
function knownIn({ known }: ValidatorError["params"]): readonly string[] {
  return typeof known === "string" && known !== "" ? known.split("\n") : [];
}

function article(type: unknown): string {
  const names = (Array.isArray(type) ? type : [type]).map(String);
  return names
    .map((name) => (/^[aeiou]/.test(name) ? `an ${name}` : name === "null" ? name : `a ${name}`))
    .join(" or ");
}
