import { isActing } from "./acting.ts";
import { isNativeLog } from "./native-name.ts";
import { NOTHING, type Rules, whole, words } from "./rules.ts";

/** Whole names, whatever is given to them. */
const EXPLICIT =
  /^(?:(?:Kernel\.)?URI(?:\.parse|\.join)?|URI\.\w+|JSON\.(?:generate|dump|parse)|Time\.now|Process\.(?:clock_gettime|pid)|ENV\.fetch|Integer|Float|String|Array|Thread\.(?:new|current)|File\.(?:read|exist\?|readable\?|join|expand_path)|Dir\.pwd|block_given\?|format|sprintf|Timeout\.timeout)$/;

const REPORTERS = /^(?:::)?Net(?:::|\.)HTTP\.(?:post|post_form)$/;

/** Ruby. A name or member without arguments may be a method: those that are known to act are refused. */
export const RUBY: Rules = {
  plain: words(`
    begin rescue ensure else then exceptions exception_variable rescue_modifier body_statement block block_body do_block
    block_parameters if if_modifier unless unless_modifier
    identifier constant instance_variable class_variable global_variable self nil true false integer float string
    string_content escape_sequence interpolation simple_symbol delimited_symbol hash_key_symbol bare_string
    bare_symbol string_array symbol_array array hash pair hash_splat_argument splat_argument argument_list
    element_reference parenthesized_statements unary binary conditional scope_resolution range lambda
    lambda_parameters comment heredoc_beginning heredoc_body heredoc_content heredoc_end regex chained_string
    empty_statement`),
  inFunction: words(""),
  refused: {
    yield: "await-in-probe",
    return: "not-a-probe",
    method: "declares-name",
    singleton_method: "declares-name",
    class: "declares-name",
    module: "declares-name",
    operator_assignment: "impure-expression",
    subshell: "impure-expression",
  },
  signs: words("<<"),
  calls: { call: { receiver: "receiver", name: "method", arguments: "arguments", also: ["block"] } },
  members: { scope_resolution: ["scope", "name"] },
  bindings: { assignment: { target: "left", value: "right", declares: true } },
  patterns: words(""),
  lambdas: words("lambda"),
  names: words("identifier constant instance_variable global_variable class_variable self"),
  strings: words("string"),
  interpolations: words("interpolation"),
  wrappers: words("parenthesized_statements"),
  // A method with nothing given to it is mostly a value; so are questions.
  functions: whole(EXPLICIT.source.slice(1, -1), String.raw`(?:.*\.)?[a-z_]\w*\??`),
  reporters: REPORTERS,
  callers: [],
  needsArgument: NOTHING,
  // Variables of objects, classes and the whole program are seen from elsewhere.
  reserved: /^[A-Z@$]/,
  scopes: words("method singleton_method"),
  blocks: words(""),
  special: (node) => {
    if (node.type === "identifier" && isActing(node.text) && node.parent?.type !== "call")
      return { kind: "fault", code: "impure-expression", what: `${node.text} may do something` };
    if (node.type === "block_argument")
      return /^&:\w+\??$/.test(node.text) && !isActing(node.text.slice(2))
        ? { kind: "plain", judge: [] }
        : { kind: "fault", code: "impure-expression", what: `${node.text} may change something` };
    if (node.type !== "call") return undefined;
    const name = node.childForFieldName("method")?.text ?? "";
    const given = node.childForFieldName("arguments")?.text ?? "";
    const receiver = node.childForFieldName("receiver")?.text ?? "";
    if (name === "require" && receiver === "")
      return /^\(?\s*["'](?:net\/http|json|uri|time|timeout)["']\s*\)?$/.test(given)
        ? { kind: "plain", judge: [] }
        : { kind: "fault", code: "impure-expression", what: "What is loaded here may run code of its own" };
    const whole = receiver === "" ? name : `${receiver}.${name}`;
    if (EXPLICIT.test(whole) || REPORTERS.test(whole) || isNativeLog(whole)) return undefined;
    const takes = (given !== "" && given !== "()") || node.childForFieldName("block") !== null;
    // With something given to it a method that is not known may do anything with it.
    if (isActing(name) || (takes && !READING.test(name)))
      return { kind: "fault", code: "impure-expression", what: `${name} may change something` };
    return undefined;
  },
};

/** Methods of Ruby's own classes that only read, whatever is given to them. */
const READING =
  /^(?:map|select|reject|find|detect|first|last|take_while|min_by|max_by|sum|sort_by|group_by|include\?|key\?|has_key\?|start_with\?|end_with\?|match\?|match|join|split|slice|fetch|dig|to_s|to_json|is_a\?|kind_of\?|respond_to\?|nil\?|round|values_at|count|any\?|all\?|none\?|each_with_object|to_h|strftime|gsub|sub|ljust|rjust|center|index|\[\]|instance_variable_get|each_slice|each_cons|zip|compact|flatten|uniq)$/;
