import { namedChildrenOf } from "../../syntax/syntax.ts";
import { type Rules, type Special, whole, words } from "./rules.ts";

/** What may be entered by `with`. */
const OPENED = /^(?:(?:[\w.]*\.)?urlopen|(?:io\.)?open)$/;
/** Arguments of a thread, each by its name. */
const THREAD = /^(?:target\s*=\s*lambda|(?:daemon|name)\s*=)/;
const ENVIRONMENT = /(?:^|\.)environ\.get$/;
/** A key that is no address. */
const KEY = /^(?:[rRbBuU]?(["'])[^"':/]*\1|-?\d+)$/;
/** A method of a request that is not known to only send. */
const METHOD = /^method\s*=(?!\s*["'](?:POST|GET)["']$)/;

/** Python 3. Functions of its own library that only read, and those of urllib, http.client and requests that send. */
export const PYTHON: Rules = {
  plain: words(`
    expression_statement if_statement elif_clause else_clause try_statement except_clause finally_clause block
    pass_statement with_statement with_clause with_item as_pattern as_pattern_target
    identifier attribute subscript slice string string_start string_content string_end escape_sequence
    escape_interpolation interpolation format_specifier format_expression type_conversion concatenated_string integer
    float true false none ellipsis list tuple dictionary set pair dictionary_splat list_splat parenthesized_expression
    expression_list unary_operator not_operator binary_operator boolean_operator comparison_operator
    conditional_expression argument_list keyword_argument lambda lambda_parameters default_parameter
    list_comprehension dictionary_comprehension set_comprehension generator_expression for_in_clause if_clause
    dotted_name aliased_import import_statement import_from_statement comment line_continuation pattern_list
    tuple_pattern`),
  inFunction: words(""),
  refused: {
    await: "await-in-probe",
    yield: "await-in-probe",
    return_statement: "not-a-probe",
    raise_statement: "not-a-probe",
    print_statement: "native-log",
    function_definition: "declares-name",
    class_definition: "declares-name",
    decorated_definition: "declares-name",
    global_statement: "impure-expression",
    delete_statement: "impure-expression",
  },
  signs: words("async"),
  calls: { call: { callee: "function", arguments: "arguments" } },
  members: { attribute: ["object", "attribute"] },
  bindings: { assignment: { target: "left", value: "right", declares: true } },
  patterns: words("pattern_list tuple_pattern"),
  lambdas: words("lambda"),
  names: words("identifier"),
  strings: words("string concatenated_string"),
  interpolations: words("interpolation"),
  wrappers: words("parenthesized_expression"),
  functions: whole(
    "len|str|repr|int|float|bool|complex|list|dict|tuple|set|frozenset|sorted|reversed|enumerate|zip|range|min|max|sum|abs|round|type|id|isinstance|issubclass|hasattr|getattr|callable|any|all|map|filter|ord|chr|hex|bin|oct|hash|format|ascii|bytes|vars|dir|locals|globals|slice|divmod|pow",
    String.raw`\w+\.dumps|time\.(?:time|time_ns|monotonic|perf_counter)|(?:datetime\.)?datetime\.(?:now|utcnow|today)|os\.(?:getenv|getpid|environ\.get|path\.\w+|getcwd)|traceback\.format_\w+|threading\.(?:get_ident|current_thread|active_count)|sys\.getsizeof|uuid\.uuid4|copy\.(?:copy|deepcopy)|re\.(?:search|match|findall|compile)|open|io\.open|(?:pathlib\.)?Path|math\.\w+`,
    String.raw`(?:[\w.]*\.)?(?:Request|urlencode)|threading\.Thread|(?:threading\.)?Thread(?:\(\))?\.start|threading\.Thread\(\)\.start`,
    String.raw`(?:[\w.]*\.)?(?:urlopen|post|request)\(\)\.(?:read|close)`,
    String.raw`.*\.(?:encode|decode|format|strip|lstrip|rstrip|split|rsplit|splitlines|lower|upper|title|startswith|endswith|find|rfind|index|count|isdigit|isalpha|keys|values|items|isoformat|timestamp|strftime|hex|group|groups|groupdict|total_seconds|bit_length|read_text|exists|is_file|tolist|item|to_dict|dict|model_dump|as_dict|describe|mean|sum|min|max|any|all|qsize|is_alive|is_set|locked)`,
    String.raw`(?:io\.)?open\(\)\.(?:read|readlines)`,
    String.raw`\*\.(?:join|replace)`,
    String.raw`(?:.*\.)?(?!\w*(?:requests|httpx?|session|client|api|redis|cache|queue|jobs|tasks|conn)\b)\w\w+(?:\(\))?\.get|[^\W_q]\.get`,
    String.raw`__import__|__import__\(\)(?:\.\w+)*\.(?:dumps|Request|getenv|time|time_ns|environ\.get)`,
  ),
  reporters: whole(
    String.raw`(?:[\w.]*\.)?urlopen|_?requests\.post|httpx\.post|__import__\(\)(?:\.\w+)*\.(?:urlopen|post)`,
  ),
  callers: [
    [/^(?:map|filter)$/, [0]],
    [/(?:^|\.)(?:sorted|min|max|dumps|Thread)$/, []],
  ],
  needsArgument: /\.get$/,
  reserved:
    /^(?:json|urllib|requests|httpx|os|time|datetime|threading|re|sys|io|math|copy|uuid|pathlib|Path|Thread|urlopen|Request|len|str|repr|int|float|bool|complex|list|dict|tuple|set|frozenset|sorted|reversed|enumerate|zip|range|min|max|sum|abs|round|type|id|isinstance|issubclass|hasattr|getattr|callable|any|all|map|filter|ord|chr|hex|bin|oct|hash|format|ascii|bytes|vars|dir|locals|globals|slice|divmod|pow|open|__import__)$/,
  modules:
    /^(?:json|urllib(?:\.(?:request|parse|error))?|requests|httpx|http\.client|os|os\.path|time|threading|datetime|pathlib|socket|sys|re|uuid|traceback|math)$/,
  imports: words("import_statement import_from_statement"),
  scopes: words("function_definition"),
  blocks: words(""),
  special: (node) => {
    const impure = (what: string): Special => ({ kind: "fault", code: "impure-expression", what });
    if (node.type === "with_item") {
      const value = node.childForFieldName("value");
      const opened = value?.type === "as_pattern" ? value.firstNamedChild : value;
      return OPENED.test(opened?.childForFieldName("function")?.text ?? "")
        ? undefined
        : impure("What is entered here may wait or change something");
    }
    if (node.type !== "call") return undefined;
    const called = node.childForFieldName("function");
    const callee = called?.text ?? "";
    const list = node.childForFieldName("arguments");
    const given = list?.text ?? "";
    const all = list && list.type === "argument_list" ? namedChildrenOf(list) : [];
    if (all.some(({ type }) => type.endsWith("_splat")))
      return impure(`It cannot be told what ${callee} is given by * or **`);
    if (/(?:^|\.)Thread$/.test(callee) && !all.every((one) => THREAD.test(one.text)))
      return impure("Only a target by its name, written in place, can be read: Thread(target=lambda: ...)");
    const name = called?.type === "attribute" ? called.childForFieldName("attribute")?.text : undefined;
    const on = called?.childForFieldName("object")?.type;
    if (
      /^(?:join|replace)$/.test(name ?? "") &&
      on?.endsWith("string") !== true &&
      !/^os\.path\.join$/.test(callee)
    )
      return impure(`${callee} may wait or change something: only texts written in place are known`);
    if (name === "get" && !ENVIRONMENT.test(callee) && all[0] && !KEY.test(all[0].text))
      return impure(`${callee} may wait or take something away: only keys written in place are known`);
    if (/(?:^|\.)Request$/.test(callee) && all.some((one) => METHOD.test(one.text)))
      return { kind: "fault", code: "foreign-address", what: "An event is sent by POST only" };
    if (
      /^(?:io\.)?open$/.test(callee) &&
      !/^\([^,]*(?:,\s*(?:["']rt?b?["']|(?:encoding|errors)\s*=\s*["'][\w-]+["']))*\s*\)$/.test(given)
    )
      return { kind: "fault", code: "impure-expression", what: "This opens a file for more than reading" };
    if (
      callee === "__import__" &&
      !/^\(\s*["'](?:json|urllib\.request|urllib\.parse|time|os|threading|datetime|requests)["']\s*[,)]/.test(
        given,
      )
    )
      return {
        kind: "fault",
        code: "impure-expression",
        what: "What is loaded here may run code of its own",
      };
    return undefined;
  },
};
