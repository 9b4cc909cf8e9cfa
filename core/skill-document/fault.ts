/** What does not fit in a SKILL.md. */
export interface DocumentFault {
  /** Stable: tools may rely on it. */
  readonly code: DocumentFaultCode;
  /** `warning`: read all the same, and nothing to refuse a skill for. */
  readonly severity: "error" | "warning";
  /** Of the file, from 1. */
  readonly line: number;
  readonly sentence: string;
}

export type DocumentFaultCode =
  | "BYTE_ORDER_MARK"
  | "FRONT_MATTER_MISSING"
  | "FRONT_MATTER_OPEN"
  | "YAML_INVALID"
  | "YAML_DUPLICATE_KEY"
  | "YAML_ANCHOR"
  | "YAML_TAG"
  | "YAML_FLOW"
  | "FIELD_UNKNOWN"
  | "FIELD_MISSING"
  | "FIELD_TYPE"
  | "FIELD_EMPTY"
  | "FIELD_TOO_LONG"
  | "NAME_CHARACTERS"
  | "NAME_FOLDER"
  | "BODY_EMPTY";
