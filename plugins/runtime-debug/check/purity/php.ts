import { NOTHING, type Rules, whole, words } from "./rules.ts";

/** How many arguments functions read; those behind them they write. */
const BY_VALUE: Readonly<Record<string, number>> = {
  preg_match: 2,
  str_replace: 3,
  is_callable: 2,
  fopen: 4,
};
/** A method of a request that is not known to only send. */
const METHOD = /["']method["']\s*=>(?!\s*["'](?:POST|GET)["'])/i;

/** PHP. Functions of its library that only read, and those that send: `file_get_contents`, curl. */
export const PHP: Rules = {
  plain: words(`
    expression_statement compound_statement if_statement else_clause try_statement catch_clause finally_clause type_list
    named_type qualified_name namespace_name namespace_name_as_prefix primitive_type optional_type union_type
    variable_name name boolean null integer float string string_content string_value escape_sequence encapsed_string
    heredoc heredoc_body heredoc_start heredoc_end nowdoc
    array_creation_expression array_element_initializer arguments argument member_access_expression
    nullsafe_member_access_expression scoped_property_access_expression class_constant_access_expression
    subscript_expression parenthesized_expression binary_expression unary_op_expression conditional_expression
    cast_expression cast_type error_suppression_expression anonymous_function anonymous_function_use_clause
    anonymous_function_creation_expression arrow_function formal_parameters simple_parameter relative_scope comment
    spread_expression empty_statement dynamic_variable_name`),
  inFunction: words("return_statement"),
  refused: {
    yield_expression: "await-in-probe",
    echo_statement: "native-log",
    print_intrinsic: "native-log",
    return_statement: "not-a-probe",
    throw_expression: "not-a-probe",
    exit_statement: "not-a-probe",
    function_definition: "declares-name",
    class_declaration: "declares-name",
    global_declaration: "impure-expression",
    unset_statement: "impure-expression",
    shell_command_expression: "impure-expression",
    reference_assignment_expression: "impure-expression",
  },
  signs: words("++ --"),
  calls: {
    function_call_expression: { callee: "function", arguments: "arguments" },
    member_call_expression: { receiver: "object", name: "name", arguments: "arguments" },
    nullsafe_member_call_expression: { receiver: "object", name: "name", arguments: "arguments" },
    scoped_call_expression: { receiver: "scope", name: "name", arguments: "arguments" },
    object_creation_expression: { prefix: "new ", arguments: "arguments" },
  },
  members: {},
  bindings: { assignment_expression: { target: "left", value: "right", declares: true } },
  patterns: words(""),
  lambdas: words("anonymous_function anonymous_function_creation_expression arrow_function"),
  names: words("variable_name name qualified_name"),
  strings: words("string encapsed_string"),
  interpolations: words("variable_name"),
  wrappers: words("parenthesized_expression argument"),
  functions: whole(
    String.raw`\\?(?:json_encode|json_decode|stream_context_create|count|sizeof|strlen|mb_strlen|strval|intval|floatval|boolval|is_\w+|isset|empty|gettype|get_class|get_debug_type|get_object_vars|spl_object_id|array_(?:keys|values|slice|map|filter|merge|column|sum|key_exists|combine|key_first|key_last|search|unique|reverse)|in_array|implode|explode|join|trim|rtrim|ltrim|substr|mb_substr|str_(?:contains|starts_with|ends_with|replace|repeat|pad)|strpos|strtolower|strtoupper|ucfirst|sprintf|number_format|round|floor|ceil|abs|min|max|microtime|hrtime|time|date|memory_get_usage|memory_get_peak_usage|getenv|getmypid|getcwd|file_exists|is_file|parse_ini_file|parse_ini_string|preg_match|func_get_args|debug_zval_refcount|property_exists|method_exists|md5|sha1|crc32|spl_object_hash|iterator_to_array|range|uniqid|dirname|basename|array_is_list)`,
    String.raw`\\?curl_(?:setopt|setopt_array|exec|close|errno|error)|\\?fclose`,
    String.raw`new \\?(?:DateTime|DateTimeImmutable)|.*\.(?:format|getTimestamp|getMessage|getCode|getLine|getFile|getTraceAsString|toArray|count|getId|getName|jsonSerialize|isEmpty|getKey)`,
  ),
  reporters: whole(String.raw`\\?(?:file_get_contents|curl_init|fopen)`),
  callers: [
    [/^\\?array_map$/, [0]],
    [/^\\?array_filter$/, [1]],
  ],
  needsArgument: NOTHING,
  reserved: /^\$(?:GLOBALS|_[A-Z]+|this|argc|argv|http_response_header)$/,
  scopes: words("function_definition method_declaration anonymous_function arrow_function"),
  blocks: words(""),
  special: (node, locals) => {
    if (node.type !== "function_call_expression") return undefined;
    const name = node.childForFieldName("function")?.text ?? "";
    const given = node.childForFieldName("arguments")?.text ?? "";
    // The environment file is read with the same function that sends.
    const isLocal = /^\((?:\s*(?:__DIR__|getcwd\(\))\s*\.)?\s*["'][^"':]*\.dbg\/[^"':]*["']\s*\)$/.test(
      given,
    );
    if (/^\\?file_get_contents$/.test(name) && isLocal) return { kind: "plain", judge: [] };
    const all = (node.childForFieldName("arguments")?.namedChildren ?? []).filter(
      (one) => one?.type === "argument",
    );
    const most = BY_VALUE[name.replace("\\", "").toLowerCase()];
    if (most !== undefined && all.length > most)
      return {
        kind: "fault",
        code: "impure-expression",
        what: `${name} would write to what it is given last`,
      };
    if (/^\\?stream_context_create$/.test(name) && METHOD.test(given))
      return { kind: "fault", code: "foreign-address", what: "An event is sent by POST only" };
    const [first] = all;
    const handle = first?.namedChildren[0];
    // A handle of the program would be used, or another address given to ours.
    if (/^\\?curl_(?!init)/.test(name) && !(handle && locals.has(handle)))
      return {
        kind: "fault",
        code: "foreign-address",
        what: "This uses a connection that the region has not made",
      };
    if (
      /CURLOPT_(?:URL|CUSTOMREQUEST|PUT|UPLOAD|PROXY|FILE|WRITEFUNCTION|CONNECT_TO|RESOLVE|\w*FUNCTION|COOKIEJAR|STDERR)|\b1\d{4}\b/.test(
        given,
      ) &&
      /^\\?curl_/.test(name)
    )
      return { kind: "fault", code: "foreign-address", what: "This may send somewhere else" };
    return undefined;
  },
};
