import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { RegionFault } from "./fault.ts";
import type { Locals } from "./locals.ts";

/** The fields of a call: either `callee`, or `name` and what it is called on. */
export interface CallShape {
  readonly callee?: string;
  readonly receiver?: string;
  readonly name?: string;
  /** In front of the name: `new ` for what makes an object. */
  readonly prefix?: string;
  readonly arguments: string;
  /** Further fields that are judged, such as a block of Ruby. */
  readonly also?: readonly string[];
}

/** A statement or expression that gives values to names. */
export interface BindingShape {
  readonly target: string;
  readonly value: string;
  /** It makes the name when there was none. */
  readonly declares: boolean;
}

/** Functions, by their whole names, and which of their arguments they call, from 0; those with a keyword are known. */
export type Caller = readonly [names: RegExp, called: readonly number[]];

/** What the regions of a language may hold, by the names of nodes and fields of its grammar. */
export interface Rules {
  /** Nodes that do nothing by themselves: what stands in them is judged. */
  readonly plain: ReadonlySet<string>;
  /** Plain in a function that is written in the region. */
  readonly inFunction: ReadonlySet<string>;
  readonly refused: Readonly<Record<string, RegionFault>>;
  /** Signs without a node of their own that change something. */
  readonly signs: ReadonlySet<string>;
  readonly calls: Readonly<Record<string, CallShape>>;
  /** Nodes that name a member: the fields of the object and of the name. */
  readonly members: Readonly<Record<string, readonly [string, string]>>;
  readonly bindings: Readonly<Record<string, BindingShape>>;
  /** Targets of bindings that are lists of targets; any other target but a name is a part of something. */
  readonly patterns: ReadonlySet<string>;
  /** Functions that are written in place. */
  readonly lambdas: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly strings: ReadonlySet<string>;
  readonly interpolations: ReadonlySet<string>;
  /** Parentheses, single arguments and the like: what they hold is what they are. */
  readonly wrappers: ReadonlySet<string>;
  /** Whole names of functions that only read. */
  readonly functions: RegExp;
  /** Whole names of functions that send an event. */
  readonly reporters: RegExp;
  /** Functions that call what they are given: that has to be written in place, or be one of the known ones. */
  readonly callers: readonly Caller[];
  /** Functions that only read when something is given to them. */
  readonly needsArgument: RegExp;
  /** Names that no name of a region may hide. */
  readonly reserved: RegExp;
  /** Which argument holds the address, from 0. */
  readonly addressAt?: (name: string) => number;
  /** Why a report, when it fails, could end the program, as a sentence without its full stop. */
  readonly mayThrow?: (report: SyntaxNode, name: string) => string | undefined;
  /** Modules that may be imported. */
  readonly modules?: RegExp;
  readonly imports?: ReadonlySet<string>;
  /** Functions: names belong to the nearest one. */
  readonly scopes: ReadonlySet<string>;
  /** Blocks that names are declared for; none where they belong to the function. */
  readonly blocks: ReadonlySet<string>;
  /** Judges nodes that are unlike everything else; `undefined` for all others. */
  readonly special?: (node: SyntaxNode, locals: Locals) => Special | undefined;
}

export type Special =
  | { readonly kind: "fault"; readonly code: RegionFault; readonly what: string; readonly reports?: true }
  | {
      readonly kind: "report";
      readonly address: readonly SyntaxNode[];
      readonly judge: readonly SyntaxNode[];
    }
  | { readonly kind: "plain"; readonly judge: readonly SyntaxNode[] };

/** Words of a list. */
export function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter((word) => word !== ""));
}

/** A pattern that a whole name must match. */
export function whole(...patterns: readonly string[]): RegExp {
  return new RegExp(`^(?:${patterns.join("|")})$`);
}

/** A pattern that no name matches. */
export const NOTHING = /(?!)/;
