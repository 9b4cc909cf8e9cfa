import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { Locals } from "./locals.ts";
import { NOTHING, type Rules, whole, words } from "./rules.ts";

/** Go. Functions of its library that only read, and those of net/http that send. */
export const GO: Rules = {
  plain: words(`
    expression_statement statement_list block go_statement defer_statement if_statement
    identifier field_identifier package_identifier type_identifier blank_identifier selector_expression index_expression
    slice_expression interpreted_string_literal interpreted_string_literal_content raw_string_literal
    raw_string_literal_content escape_sequence rune_literal int_literal float_literal true false nil iota
    unary_expression binary_expression parenthesized_expression argument_list expression_list composite_literal
    literal_value literal_element keyed_element map_type slice_type array_type pointer_type qualified_type
    interface_type struct_type field_declaration_list generic_type type_arguments func_literal parameter_list
    parameter_declaration comment type_conversion_expression implicit_length_array_type`),
  inFunction: words("return_statement var_declaration var_spec"),
  refused: {
    return_statement: "not-a-probe",
    send_statement: "impure-expression",
    inc_statement: "impure-expression",
    dec_statement: "impure-expression",
    import_declaration: "declares-name",
  },
  signs: words("<- ++ --"),
  calls: { call_expression: { callee: "function", arguments: "arguments" } },
  members: { selector_expression: ["operand", "field"] },
  bindings: {
    short_var_declaration: { target: "left", value: "right", declares: true },
    assignment_statement: { target: "left", value: "right", declares: false },
    var_spec: { target: "name", value: "value", declares: true },
  },
  patterns: words("expression_list"),
  lambdas: words("func_literal"),
  names: words("identifier package_identifier field_identifier blank_identifier"),
  strings: words("interpreted_string_literal raw_string_literal"),
  interpolations: words(""),
  wrappers: words("parenthesized_expression expression_list"),
  functions: whole(
    "len|cap|string|int|int32|int64|uint64|float64|bool|byte|rune|any|min|max|real|imag|make",
    String.raw`json\.Marshal|(?:bytes|strings)\.(?:NewReader|NewBuffer|NewBufferString|\w+)|fmt\.(?:Sprint|Sprintf|Sprintln|Errorf)|strconv\.\w+|time\.(?:Now|Since)|time\.Now\(\)\.\w+(?:\(\)\.\w+)*|os\.(?:Getenv|Getpid|ReadFile|LookupEnv)|errors\.(?:Is|Unwrap)|reflect\.(?:TypeOf|ValueOf)|math\.\w+|runtime\.(?:NumGoroutine|Caller)|context\.(?:Background|TODO)|len|url\.QueryEscape|filepath\.Join`,
    String.raw`http\.(?:DefaultClient|Client)\.Do|\*\.(?:Do|Post)|\w+\.Header\.Set|\w+\.Body\.Close|client\.Do`,
    String.raw`.*\.(?:Error|String|Format|Unix|UnixMilli|UnixNano|Milliseconds|Seconds|Microseconds|Len|Load|Kind|Type|IsZero|Name)`,
  ),
  reporters: whole(String.raw`http\.(?:Post|NewRequest|NewRequestWithContext)|http\.DefaultClient\.Post`),
  callers: [],
  needsArgument: NOTHING,
  reserved:
    /^(?:http|json|bytes|strings|fmt|strconv|time|os|errors|reflect|math|runtime|context|url|filepath|len|cap|string|u?int\d*|float\d+|bool|byte|rune|any|min|max|recover|real|imag|make|nil|true|false)$/,
  addressAt: (name) => (name.endsWith("WithContext") ? 2 : name.endsWith("NewRequest") ? 1 : 0),
  imports: words("import_declaration"),
  scopes: words("function_declaration method_declaration func_literal"),
  blocks: words("block"),
  special: (node, locals) => {
    const callee = node.type === "call_expression" ? node.childForFieldName("function") : null;
    const list = node.childForFieldName("arguments");
    const given = list?.text ?? "";
    const [first] = list?.namedChildren ?? [];
    // A request of the program would be sent once more.
    if (callee && callee.text.endsWith(".Do") && !(first && isMade(first, locals)))
      return {
        kind: "fault",
        code: "foreign-address",
        what: "This sends a request that the region has not made",
      };
    const isRequest = /^http\.NewRequest(?:WithContext)?$/.test(callee?.text ?? "");
    if (isRequest && !/^\((?:[^,"]*,)?\s*(?:http\.Method(?:Post|Get)|"(?:POST|GET)")\s*,/.test(given))
      return { kind: "fault", code: "foreign-address", what: "An event is sent by POST only", reports: true };
    const [, owner] = /^(\w+)\.(?:Header\.Set|Body\.Close)$/.exec(callee?.text ?? "") ?? [];
    const name = owner && callee?.descendantsOfType("identifier")[0];
    if (name && !isMade(name, locals))
      return {
        kind: "fault",
        code: "impure-expression",
        what: `This changes ${owner}, which the program has made`,
      };
    return undefined;
  },
};

/** Whether a name is the region's own, and what it stands for was made or answered by net/http there. */
function isMade(name: SyntaxNode, locals: Locals): boolean {
  const values = locals.valuesAt(name);
  return values.length > 0 && values.every(({ text }) => MADE.test(text));
}

const MADE =
  /^(?:http\.(?:Post|NewRequest|NewRequestWithContext|DefaultClient\.\w+)|client\.Do|\(?&?http\.Client\{[^{}]*\}\)?\.\w+)\(/;
