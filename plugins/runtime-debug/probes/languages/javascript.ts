import type { ExpressionRules } from "../expression.ts";
import type { Template } from "../template.ts";
import { reporter } from "./javascript-queue.ts";
import { PATTERN_SLASH } from "./slashes.ts";

const EXPRESSIONS: ExpressionRules = {
  refused: [
    [/\b(?:await|yield|delete|import)\b/, "it changes something or waits"],
    [/<!--|-->/, "it holds a comment"],
    PATTERN_SLASH,
  ],
};

function template(hasTypes: boolean): Template {
  const any = hasTypes ? ":any" : "";
  return {
    mark: (text) => `// ${text}`,
    line: `{const debug_d_${any}={};@D@try{${reporter(hasTypes)}("@H@","@P@","@L@","@S@","@U@",debug_d_)}catch{}}`,
    field: 'try{debug_d_["@N@"]=(@X@)}catch(debug_e_){try{debug_d_["@N@"]="! "+String(debug_e_)}catch{}}',
    between: "",
    expressions: EXPRESSIONS,
  };
}

/** For Node and pages, scripts and modules. Needs names of blocks (ES2015) and `catch` without a name (ES2019). */
export const JAVASCRIPT = template(false);
/** The same, so that a strict compiler has nothing to say. */
export const TYPESCRIPT = template(true);
