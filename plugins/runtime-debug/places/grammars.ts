import { dirname, join } from "node:path";
import type TreeSitter from "@vscode/tree-sitter-wasm";
import type { Language, Node, Parser } from "@vscode/tree-sitter-wasm";
import bash from "./grammars/bash.json" with { type: "json" };
import cpp from "./grammars/cpp.json" with { type: "json" };
import csharp from "./grammars/csharp.json" with { type: "json" };
import go from "./grammars/go.json" with { type: "json" };
import java from "./grammars/java.json" with { type: "json" };
import javascript from "./grammars/javascript.json" with { type: "json" };
import php from "./grammars/php.json" with { type: "json" };
import python from "./grammars/python.json" with { type: "json" };
import ruby from "./grammars/ruby.json" with { type: "json" };
import rust from "./grammars/rust.json" with { type: "json" };

const FILES: readonly GrammarRules[] = [bash, cpp, csharp, go, java, javascript, php, python, ruby, rust];

/** The statements and expressions in the trees of a grammar; names are kinds of its nodes. */
export interface GrammarRules {
  /** The grammar of each language, as the package names it. */
  readonly grammars: Readonly<Record<string, string>>;
  /** Nodes whose children are statements. */
  readonly blocks: readonly string[];
  /** Blocks that exist only while they hold a statement. */
  readonly lists?: readonly string[];
  /** Blocks that permit a statement only next to a child of this kind. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Nodes around a block, up to the next function, that permit no statement in it. */
  readonly impossible?: readonly string[];
  readonly functions?: readonly string[];
  /** Nodes that permit no statement directly before, or after them. */
  readonly notBefore?: readonly string[];
  readonly notBehind?: readonly string[];
  /** Whether a string as the first statement of its block is a directive or a docstring. */
  readonly firstText?: boolean;
  /** Statements that leave the block; a pattern of their text may follow a colon. */
  readonly leaves: readonly string[];
  /** Whether the compiler refuses a statement after them. */
  readonly refusesUnreachable?: boolean;
  /**
   * A block has the value of its last statement, except if it or its parent is in `but`. It also ends before `clauses`; with
   * `ended`, a statement with a semicolon has no value.
   */
  readonly valued?: {
    readonly but: readonly string[];
    readonly clauses: readonly string[];
    readonly ended?: boolean;
  };
  readonly bodies: BodyRules;
  /** Nodes that can print without a call, each with a pattern of text that prints. */
  readonly prints?: Readonly<Record<string, string>>;
  /** Nodes in which printed output goes to another program or a file. */
  readonly feeds?: readonly string[];
  readonly expressions?: ExpressionRules;
}

export interface BodyRules {
  /** Blocks that can be opened within a line. */
  readonly blocks: readonly string[];
  /** Words that directly precede the statements of a block. */
  readonly words?: readonly string[];
  /** Bodies without brackets, as KIND, or KIND.FIELD. */
  readonly bare?: readonly string[];
  /** Functions whose body can be a value. */
  readonly values?: readonly string[];
  /** Fields of functions and loops that declare names, or `#` and the position of a child. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** Whether indentation delimits a body. */
  readonly indented?: boolean;
}

export interface ExpressionRules {
  /** The text around an expression that turns it into a program. */
  readonly around: readonly string[];
  /** Nodes that only read, as lines of words. */
  readonly reads: readonly string[];
  /** Words and operators with side effects. */
  readonly refused?: readonly string[];
  /** Calls, each with the field of the called function; `""` if that is not a field. */
  readonly calls: Readonly<Record<string, readonly string[]>>;
  /**
   * Calls that only read, as lines of words: `name` is a function, `.name` a member, `new Name` a constructor, `A.*`
   * every member of A.
   */
  readonly reading: readonly string[];
  /** A pattern of members with side effects, in languages in which a member is a call. */
  readonly changing?: string;
  /** Words that are calls themselves. */
  readonly commands?: string;
  readonly consumes?: ConsumptionRules;
}

/** Expressions that consume a whole value, which exhausts an iterator or a generator of the program. Lists are lines of words. */
export interface ConsumptionRules {
  /** Nodes that iterate over their content, each with the kinds of parents for which this holds, if not all. */
  readonly nodes?: Readonly<Record<string, string>>;
  /** Nodes that destructure a parameter. */
  readonly patterns?: readonly string[];
  /** Words before an iterated value. */
  readonly words?: readonly string[];
  /** Calls that iterate over their arguments; calls in `alone` do so only with a single argument. */
  readonly calls?: readonly string[];
  readonly alone?: readonly string[];
  /** Members that iterate over their receiver. */
  readonly members?: readonly string[];
  /** Kinds of nodes, as KIND or KIND>CHILD, and calls whose value is new or not an iterator. */
  readonly fresh: readonly string[];
  /** Calls whose value is new if their receiver is new. */
  readonly passes?: readonly string[];
}

/** A parser of a language. */
export interface Grammar {
  readonly rules: GrammarRules;
  /** The words of `reads` and `reading`. */
  readonly reads: ReadonlySet<string>;
  readonly reading: ReadonlySet<string>;
  /** The result of `look` for the tree of a text; `undefined` where the text is too long or takes too long. */
  readonly parsed: <Result>(text: string, look: (root: Node) => Result) => Result | undefined;
}

const MOST_CHARACTERS = 1_000_000;
const MOST_MS = 5000;
const READY = new Map<string, Grammar>();
const LOADED = new Map<string, Promise<Grammar | undefined>>();
let started: Promise<typeof TreeSitter | undefined> | undefined;

/** The parser of a language; `undefined` without a grammar, or without the optional package. */
export function grammarOf(language: string): Promise<Grammar | undefined> {
  const loaded = LOADED.get(language) ?? load(language);
  LOADED.set(language, loaded);
  return loaded;
}

/** Synchronous: returns only a parser that `grammarOf` has loaded before. */
export function loadedGrammar(language: string): Grammar | undefined {
  return READY.get(language);
}

/** Whether places of a language can be judged once the optional package is installed. */
export function hasRules(language: string): boolean {
  return FILES.some(({ grammars }) => Object.hasOwn(grammars, language));
}

async function load(language: string): Promise<Grammar | undefined> {
  const rules = FILES.find(({ grammars }) => Object.hasOwn(grammars, language));
  if (!rules) return undefined;
  started ??= start();
  const library = await started;
  const grammar = library && (await loaded(library, `tree-sitter-${rules.grammars[language]}.wasm`));
  if (!grammar) return undefined;
  const parser = new library.Parser();
  parser.setLanguage(grammar);
  const { reads = [], reading = [] } = rules.expressions ?? {};
  const ready: Grammar = {
    rules,
    reads: new Set(reads.flatMap((line) => line.split(" "))),
    reading: new Set(reading.flatMap((line) => line.split(" "))),
    parsed: (text, look) => parsedBy(parser, text, look),
  };
  READY.set(language, ready);
  return ready;
}

/** `undefined` where the optional package is not installed. */
async function start(): Promise<typeof TreeSitter | undefined> {
  try {
    const library = (await import("@vscode/tree-sitter-wasm")).default;
    await library.Parser.init();
    return library;
  } catch (caught) {
    const { code } = caught as NodeJS.ErrnoException;
    if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") return undefined;
    throw caught;
  }
}

/** A file of the package, which is searched in the folders where Node searches for packages. */
async function loaded({ Language }: typeof TreeSitter, file: string): Promise<Language | undefined> {
  for (
    let [folder, last] = [import.meta.dirname, ""];
    folder !== last;
    [folder, last] = [dirname(folder), folder]
  )
    try {
      return await Language.load(join(folder, "node_modules/@vscode/tree-sitter-wasm/wasm", file));
    } catch (caught) {
      if ((caught as NodeJS.ErrnoException).code !== "ENOENT") throw caught;
    }
  return undefined;
}

function parsedBy<Result>(parser: Parser, text: string, look: (root: Node) => Result): Result | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const end = performance.now() + MOST_MS;
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > end });
  if (!tree) {
    parser.reset();
    return undefined;
  }
  try {
    return look(tree.rootNode);
  } finally {
    tree.delete();
  }
}

/** The children of a node, brackets and signs among them. */
export function childrenOf(node: Node): readonly Node[] {
  return node.children.filter((one) => one !== null);
}
