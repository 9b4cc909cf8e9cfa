import type { Language as Grammar, Parser as GrammarParser } from "@vscode/tree-sitter-wasm";

/** Parsers by the name of their grammar, made when first asked for. */
export interface Engine {
  readonly parser: (grammar: string) => Promise<GrammarParser>;
}

/**
 * Where the engine of this process is kept: it is started once, however many copies of this module there are. The name
 * changes with the shape of `Engine`.
 */
const KEY = Symbol.for("skillctl.runtime-debug.tree-sitter.1");
const shelf = globalThis as { [KEY]?: Promise<Engine> };

/** The engine of this process; it is started by the first call, and again after a start that failed. */
export function engine(): Promise<Engine> {
  shelf[KEY] ??= start().catch((failure: unknown) => {
    delete shelf[KEY];
    throw failure;
  });
  return shelf[KEY];
}

async function start(): Promise<Engine> {
  const loaded = await import("@vscode/tree-sitter-wasm");
  // CommonJS: by the loader, its names stand in the default export only.
  const { Language, Parser } = "Parser" in loaded ? loaded : (loaded as { default: typeof loaded }).default;
  let folder = "";
  // The library asks where its main file lies, and tells where it lies itself: there are the grammars too.
  await Parser.init({
    locateFile: (name: string, own: string) => {
      folder = own;
      return own + name;
    },
  });
  const grammars = new Map<string, Promise<Grammar>>();
  return {
    parser: async (name) => {
      let grammar = grammars.get(name);
      if (!grammar) {
        grammar = Language.load(`${folder}tree-sitter-${name}.wasm`);
        grammars.set(name, grammar);
      }
      return new Parser().setLanguage(await grammar);
    },
  };
}
