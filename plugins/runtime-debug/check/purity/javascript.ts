import { type SyntaxNode, namedChildrenOf } from "../../syntax/syntax.ts";
import { NOTHING, type Rules, whole, words } from "./rules.ts";

/** JavaScript and TypeScript, JSX or not. Global functions of ECMA-262, the web and Node that only read. */
export const JAVASCRIPT: Rules = {
  plain: words(`
    expression_statement empty_statement statement_block if_statement else_clause try_statement catch_clause finally_clause
    identifier this super number string string_fragment escape_sequence template_string template_substitution regex
    regex_pattern regex_flags true false null undefined property_identifier private_property_identifier
    shorthand_property_identifier member_expression subscript_expression optional_chain parenthesized_expression
    unary_expression binary_expression ternary_expression sequence_expression array object pair spread_element
    arguments arrow_function function_expression formal_parameters required_parameter
    optional_parameter object_pattern array_pattern shorthand_property_identifier_pattern rest_pattern comment
    lexical_declaration variable_declaration as_expression satisfies_expression non_null_expression type_annotation
    type_identifier predefined_type union_type array_type generic_type type_arguments literal_type object_type
    property_signature nested_type_identifier type_query meta_property nested_identifier`),
  inFunction: words("return_statement"),
  refused: {
    await_expression: "await-in-probe",
    yield_expression: "await-in-probe",
    return_statement: "not-a-probe",
    throw_statement: "not-a-probe",
    function_declaration: "declares-name",
    class_declaration: "declares-name",
    import_statement: "declares-name",
  },
  signs: words("delete ++ --"),
  calls: {
    call_expression: { callee: "function", arguments: "arguments" },
    new_expression: { callee: "constructor", prefix: "new ", arguments: "arguments" },
  },
  members: {
    member_expression: ["object", "property"],
  },
  bindings: {
    variable_declarator: { target: "name", value: "value", declares: true },
    assignment_expression: { target: "left", value: "right", declares: false },
  },
  patterns: words("object_pattern array_pattern rest_pattern"),
  lambdas: words("arrow_function function_expression"),
  names: words(
    "identifier this property_identifier shorthand_property_identifier shorthand_property_identifier_pattern",
  ),
  strings: words("string template_string"),
  interpolations: words("template_substitution"),
  wrappers: words("parenthesized_expression non_null_expression as_expression"),
  functions: whole(
    String.raw`(?:JSON\.(?:stringify|parse)|Object\.(?:keys|values|entries|fromEntries|getPrototypeOf|getOwnPropertyNames|is|isFrozen)|Array\.(?:isArray|from|of)|Math\.(?!random)\w+|Date\.now|performance\.now|Number(?:\.\w+)?|String(?:\.raw)?|Boolean|BigInt|Symbol|isNaN|isFinite|parse(?:Int|Float)|(?:en|de)codeURI(?:Component)?|structuredClone|process\.(?:cwd|memoryUsage|uptime|hrtime)(?:\.bigint)?|document\.(?:querySelector(?:All)?|getElementById|hasFocus)|getComputedStyle|Buffer\.byteLength|crypto\.randomUUID)`,
    String.raw`new (?:Date|Error|\w+Error|Blob|Map|Set|URL|URLSearchParams|Array|AbortController|TextEncoder|Headers)`,
    String.raw`(?:[\w$.]*\.)?(?:fetch|sendBeacon)\(\)(?:\.(?:catch|then|finally)(?:\(\))?)*`,
    String.raw`AbortSignal\.timeout|require|process\.getBuiltinModule`,
    String.raw`[^ ]*\.(?:toString|toFixed|toPrecision|toISOString|toJSON|toLocale\w+|valueOf|getTime|get(?:Full)?\w*Year|getTimezoneOffset|slice|substring|substr|trim|trimStart|trimEnd|to(?:Lower|Upper)Case|split|join|concat|map|filter|find|findIndex|findLast|some|every|reduce|flat|flatMap|includes|indexOf|lastIndexOf|startsWith|endsWith|at|charAt|charCodeAt|codePointAt|keys|values|entries|has|hasOwnProperty|padStart|padEnd|repeat|match|getBoundingClientRect|getAttribute|hasAttribute|matches|closest|contains|readFileSync|existsSync)`,
    String.raw`(?:[\w$.]*\.)?(?:\w*[mM]ap|\w*[pP]arams|[hH]eaders|\w*[cC]ache)\.get`,
  ),
  reporters: whole(String.raw`(?:(?:window|globalThis|self|global)\.)?(?:fetch|navigator\.sendBeacon)`),
  mayThrow: (report, name) =>
    name.endsWith("fetch") && !isCaught(report)
      ? "A server that is away would end a program of Node here: nothing catches what fetch is refused with"
      : undefined,
  callers: [
    [/(?:^|\.)then$/, [0, 1]],
    [/^(?:JSON\.(?:stringify|parse)|Array\.from)$/, [1]],
    [/\.(?:catch|finally|map|filter|find|findIndex|findLast|some|every|reduce|flatMap)$/, [0]],
  ],
  needsArgument: NOTHING,
  reserved:
    /^(?:fetch|navigator|window|globalThis|self|global|JSON|Object|Array|Math|Date|Number|String|Boolean|BigInt|Symbol|URL|URLSearchParams|process|require|Buffer|document|performance|crypto|structuredClone|parse\w+|is\w+|(?:en|de)code\w+|AbortSignal|getComputedStyle|\w*Error|Map|Set|Blob|Headers|TextEncoder|AbortController)$/,
  imports: words("import_statement"),
  scopes: words(
    "function_declaration function_expression arrow_function method_definition generator_function_declaration generator_function",
  ),
  blocks: words("statement_block"),
  special: (node) => {
    const key = node.type === "pair" ? node.childForFieldName("key") : node;
    if (/^(?:pair|shorthand_property_identifier)$/.test(node.type) && key && CALLED_KEY.test(key.text))
      return {
        kind: "fault",
        code: "impure-expression",
        what: `${key.text} may be called by whom it is given to`,
      };
    if (node.type !== "call_expression") return undefined;
    const callee = node.childForFieldName("function")?.text ?? "";
    const list = node.childForFieldName("arguments");
    const given = list?.text ?? "";
    if (/(?:^|\.)fetch$/.test(callee) && list && !isPosted(list))
      return { kind: "fault", code: "foreign-address", what: SENT, reports: true };
    if (callee === "structuredClone" && list && !isOne(list))
      return { kind: "fault", code: "impure-expression", what: "This may take values away from the program" };
    // What is loaded has no part in the program; anything else may run code of it.
    if (/^(?:require|process\.getBuiltinModule)$/.test(callee))
      return /^\(\s*["'](?:node:)?(?:fs|path|os)["']\s*\)$/.test(given)
        ? { kind: "plain", judge: [] }
        : { kind: "fault", code: "impure-expression", what: "What is loaded here may run code of its own" };
    return undefined;
  },
};

/** Members that the language calls by itself; a name with an escape may be any of them. */
const CALLED_KEY = /^["']?(?:to(?:JSON|String)|valueOf|then|__proto__|.*\\.*)["']?$/;

const SENT = "An event is sent by POST, with options that are written in place";

/** Whether the options of a request stand in place, and its method, if any, is one that only sends or asks. */
function isPosted(list: SyntaxNode): boolean {
  const options = namedChildrenOf(list).filter(({ type }) => type !== "comment")[1];
  if (!options) return true;
  if (options.type !== "object") return false;
  return namedChildrenOf(options).every((one) => {
    if (one.type === "spread_element") return false;
    const name = (one.childForFieldName("key") ?? one).text.replaceAll(/["']/g, "");
    return name !== "method" || /^(["'])(?:POST|GET)\1$/i.test(one.childForFieldName("value")?.text ?? "");
  });
}

function isOne(list: SyntaxNode): boolean {
  const [first, ...others] = namedChildrenOf(list).filter(({ type }) => type !== "comment");
  return first !== undefined && others.length === 0 && first.type !== "spread_element";
}

/** Whether a promise is taken care of: `.catch(f)` or `.then(f, g)` further on in its chain. */
function isCaught(promise: SyntaxNode): boolean {
  const { parent } = promise;
  if (parent?.type === "parenthesized_expression") return isCaught(parent);
  const call = parent?.parent;
  const isChain = parent?.childForFieldName("object")?.equals(promise) === true;
  if (!isChain || !call?.childForFieldName("function")?.equals(parent)) return false;
  const method = parent.childForFieldName("property")?.text;
  const given = call.childForFieldName("arguments");
  const count = given ? namedChildrenOf(given).length : 0;
  if (method === "catch" ? count > 0 : method === "then" && count > 1) return true;
  return isCaught(call);
}
