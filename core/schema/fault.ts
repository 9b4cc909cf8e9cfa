import { quotedName } from "../quoted-name.ts";
/** The part of a validator's error that is read here; Ajv's, precompiled or not, has it. */
export interface ValidatorError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** Set when it is not a value but the name of a property that does not fit. */
  readonly propertyName?: string;
}

/** What does not fit, as one sentence with a pointer. */
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
  // Ajv ends with the error of the branch keyword; what stands before it says more only when it is the same place.
  const error = errors.find(({ keyword }) => keyword !== "if") ?? errors[0];
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
  return { pointer, keyword, sentence: `${place} ${complaint(error)}.` };
}

function complaint({ keyword, params, message, propertyName }: ValidatorError): string {
  if (propertyName !== undefined) return `is not an allowed name: it ${message ?? "does not fit"}`;
  switch (keyword) {
    case "required":
      return "is missing";
    case "dependentRequired":
      return `is missing, and ${String(params["property"])} needs it`;
    case "false schema":
      return "must be left out";
    case "additionalProperties":
    case "unevaluatedProperties":
      return "is not a known property";
    case "propertyNames":
      return "is not an allowed name";
    case "enum":
      return `must be one of ${(params["allowedValues"] as readonly unknown[]).map((v) => JSON.stringify(v)).join(", ")}`;
    case "const":
      return `must be ${JSON.stringify(params["allowedValue"])}`;
    case "minLength":
      return params["limit"] === 1 ? "must not be empty" : (message ?? "is too short");
    case "pattern":
      return params["pattern"] === "\\S"
        ? "must not be blank"
        : (message ?? "does not have the form that is asked for");
    case "type":
      return `must be ${article(params["type"])}`;
    default:
      return message ?? "does not fit";
  }
}

function article(type: unknown): string {
  const names = (Array.isArray(type) ? type : [type]).map(String);
  return names
    .map((name) => (/^[aeiou]/.test(name) ? `an ${name}` : name === "null" ? name : `a ${name}`))
    .join(" or ");
}
