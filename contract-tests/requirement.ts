/** One rule of a specification. */
export interface Requirement {
  /** The section of the specification, in its own words. */
  readonly place: string;
  /** What must hold. */
  readonly rule: string;
}
