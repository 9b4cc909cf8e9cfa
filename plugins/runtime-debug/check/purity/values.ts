import type { SyntaxNode } from "../../syntax/syntax.ts";
import { NOTHING, type Rules, type Special, words } from "./rules.ts";

/** Rules for languages in which only values are judged: their probes are those that `probe` writes. */
function valuesOf(
  plain: string,
  calls: Rules["calls"],
  members: Rules["members"],
  functions: RegExp,
  signs = "++ --",
  more: Pick<Rules, "special"> & Partial<Pick<Rules, "callers">> = {},
): Rules {
  return {
    plain: words(plain),
    inFunction: words(""),
    refused: { await_expression: "await-in-probe", yield_expression: "await-in-probe" },
    signs: words(signs),
    calls,
    members,
    bindings: {},
    patterns: words(""),
    lambdas: words(""),
    names: words("identifier type_identifier field_identifier namespace_identifier this self super variable"),
    strings: words("string_literal"),
    interpolations: words(""),
    wrappers: words("parenthesized_expression"),
    functions,
    reporters: NOTHING,
    callers: [],
    needsArgument: /\.get$/,
    reserved: NOTHING,
    scopes: words(""),
    blocks: words(""),
    ...more,
  };
}

export const JAVA = valuesOf(
  `identifier type_identifier this super field_access array_access string_literal string_fragment escape_sequence
  character_literal decimal_integer_literal hex_integer_literal decimal_floating_point_literal true false null_literal
  binary_expression unary_expression ternary_expression parenthesized_expression argument_list cast_expression
  integral_type floating_point_type boolean_type generic_type type_arguments instanceof_expression scoped_identifier
  class_literal line_comment block_comment`,
  { method_invocation: { receiver: "object", name: "name", arguments: "arguments" } },
  { field_access: ["object", "field"], scoped_identifier: ["scope", "name"] },
  /^(?:(?:java\.\w+\.)?(?:String\.(?:valueOf|format|join)|Arrays\.(?:toString|deepToString)|Objects\.\w+|Math\.(?!random)\w+|(?:Integer|Long|Double|Boolean)\.(?:toString|valueOf|parse\w+)|System\.(?:currentTimeMillis|nanoTime|identityHashCode|getProperty|getenv)|Thread\.currentThread(?:\(\)\.(?:getName|getId|threadId|getPriority|getState|isDaemon|isInterrupted|isAlive))?)|.*\.(?:toString|length|size|isEmpty|get(?!And|OrCreate|OrSet|Next)(?:[A-Z]\w*)?|is[A-Z]\w*|has(?!Next)[A-Z]\w*|contains\w*|equals\w*|hashCode|name|ordinal|indexOf|substring|trim|charAt|startsWith|endsWith|toLowerCase|toUpperCase|keySet|values|\w+Value|compareTo))$/,
);

export const CSHARP = valuesOf(
  `identifier this base member_access_expression element_access_expression bracketed_argument_list argument
  argument_list string_literal string_literal_content escape_sequence verbatim_string_literal character_literal
  character_literal_content integer_literal real_literal boolean_literal null_literal binary_expression
  prefix_unary_expression postfix_unary_expression conditional_expression parenthesized_expression cast_expression
  predefined_type conditional_access_expression member_binding_expression interpolated_string_expression
  interpolation interpolation_start interpolation_brace string_content is_expression is_pattern_expression
  constant_pattern negated_pattern typeof_expression qualified_name generic_name type_argument_list comment`,
  { invocation_expression: { callee: "function", arguments: "arguments" } },
  { member_access_expression: ["expression", "name"], member_binding_expression: ["expression", "name"] },
  /^(?:nameof|(?:System\.)?(?:Math\.\w+|String\.\w+|string\.\w+|Convert\.\w+|DateTime\.\w+|Environment\.(?:Get\w+|TickCount64))|.*\.(?:ToString|Count|Length|Any|All|First\w*|Last\w*|Contains\w*|Equals|GetHashCode|GetType|Substring|Trim|IndexOf|StartsWith|EndsWith|ToArray|ToList|Sum|Min|Max|Average|ToLower\w*|ToUpper\w*))$/,
  "++ --",
  { callers: [[/\.(?:Any|All|Count|First\w*|Last\w*|Sum|Min|Max|Average)$/, [0]]] },
);

export const RUST = valuesOf(
  `identifier field_identifier type_identifier primitive_type self scoped_identifier scoped_type_identifier
  field_expression index_expression reference_expression string_literal string_content escape_sequence
  raw_string_literal char_literal integer_literal float_literal boolean_literal binary_expression unary_expression
  parenthesized_expression arguments type_cast_expression tuple_expression range_expression reference_type
  line_comment block_comment`,
  { call_expression: { callee: "function", arguments: "arguments" } },
  { field_expression: ["value", "field"], scoped_identifier: ["path", "name"] },
  /^(?:(?:std::\w+::)?(?:size_of|type_name)\w*|.*[.:](?:len|is_empty|to_string|to_owned|clone|as_str|as_ref|as_deref|is_some|is_none|is_ok|is_err|contains\w*|starts_with|ends_with|first|last|get|count|sum|min|max|abs|elapsed|as_millis|as_secs|as_secs_f64|trim|to_lowercase|to_uppercase|display|copied|cloned|unwrap_or|unwrap_or_default|ok|keys|values|capacity|id|strong_count))$/,
);

/** C. */
export const C = valuesOf(
  `identifier field_identifier type_identifier primitive_type sized_type_specifier namespace_identifier this
  field_expression qualified_identifier subscript_expression subscript_argument_list pointer_expression string_literal
  string_content escape_sequence char_literal character number_literal true false null binary_expression
  unary_expression conditional_expression parenthesized_expression argument_list cast_expression type_descriptor
  abstract_pointer_declarator type_qualifier sizeof_expression concatenated_string comment`,
  { call_expression: { callee: "function", arguments: "arguments" } },
  { field_expression: ["argument", "field"], qualified_identifier: ["scope", "name"] },
  /^(?:sizeof|strlen|strcmp|strncmp|strstr|strchr|abs|labs|fabs|sqrt|floor|ceil|round|pow|fmin|fmax|time|clock|getpid|errno|isdigit|isalpha|isspace|toupper|tolower|strerror|std\.(?:to_string|min|max|abs|size|distance)|.*\.(?:size|length|empty|c_str|str|count|at|front|back|begin|end|cbegin|cend|find|contains|data|capacity|has_value|value_or|use_count|what|substr|compare|index|first|second))$/,
  "++ -- << >>",
  { special: specialOfC },
);

/** C++: an index is a call that may insert. */
export const CPP: Rules = {
  ...C,
  special: (node) =>
    node.type === "subscript_expression"
      ? {
          kind: "fault",
          code: "impure-expression",
          what: `\`${node.text}\` would insert into a map: write .at(...), or *(p + i) for a pointer`,
        }
      : specialOfC(node),
};

function specialOfC(node: SyntaxNode): Special | undefined {
  const given = node.childForFieldName("arguments")?.text ?? "";
  const callee = node.childForFieldName("function")?.text ?? "";
  if (!/^(?:std::|::)?time$/.test(callee) || /^\(\s*(?:NULL|nullptr|0)\s*\)$/.test(given)) return undefined;
  return { kind: "fault", code: "impure-expression", what: "time writes to what it is given" };
}
