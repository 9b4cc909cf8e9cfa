import { type SyntaxNode, childrenOf, namedChildrenOf } from "../../syntax/syntax.ts";
import { NOTHING, type Rules, type Special, whole, words } from "./rules.ts";

/** Programs that write to their output only, in a pipe or a substitution. */
const TELLERS =
  /^(?:true|:|printf|echo|date|hostname|whoami|id|pwd|uname|basename|dirname|nproc|ls|stat|du|df|ps)$/;
/** Those that read what goes to the program, where nothing is piped to them. */
const FILTERS = /^(?:wc|head|tail|cut|tr|sort|uniq|grep|cat|jq)$/;
/** What may be given to programs that write, set or wait for some of their arguments; a quoted one is a text. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  date: /^(?:["']?\+[^]*|-(?:u|R|I\w*)|--(?:utc|iso-8601(?:=\w+)?))$/,
  hostname: /^(?:-[sfdiI]|--(?:short|fqdn|domain))$/,
  uniq: /^-[cdui]+$/,
  sort: /^-(?:[bdfghinMRrVu]+|k[\d.,bdfgiMhnRrV]+|t.)$/,
  head: /^-(?:[nc]?\d+)$/,
  tail: /^-(?:[nc]?\+?\d+)$/,
};
/** Options of curl that write files, read a configuration or go elsewhere. */
const CURL_WRITES =
  /^(?:-[a-zA-Z]*[oOTKcDJF]|--(?:output(?:-dir)?|remote-name(?:-all)?|upload-file|config|cookie-jar|dump-header|proxy|next|url|form|trace(?:-ascii)?|stderr|libcurl|etag-save|hsts|alt-svc|write-out)\b)/;
/** A method of a request that is not known to only send. */
const METHOD = /^(?:-[a-zA-Z]*X|--(?:request|method)(?=[= ]))(?![= ]?["']?(?:POST|GET)\b)/;
const CURL_VALUE =
  /^(?:-[a-zA-Z]*[XHdmAuebw]|--(?:request|header|data(?:-(?:raw|binary|ascii|urlencode))?|json|max-time|connect-timeout|user-agent|retry|noproxy))$/;

/** Shells of the POSIX kind. What sends is curl; its output may go nowhere else than away. */
export const SHELL: Rules = {
  plain: words(`
    list pipeline subshell compound_statement redirected_statement if_statement else_clause elif_clause negated_command
    command_name command_substitution test_command unary_expression binary_expression test_operator
    word number string string_content raw_string ansi_c_string concatenation simple_expansion expansion variable_name
    special_variable_name subscript array comment parenthesized_expression arithmetic_expansion brace_expression
    extglob_pattern regex herestring_redirect`),
  inFunction: words(""),
  refused: {
    function_definition: "declares-name",
    declaration_command: "impure-expression",
    unset_command: "impure-expression",
    heredoc_redirect: "not-a-probe",
    process_substitution: "impure-expression",
    postfix_expression: "impure-expression",
  },
  signs: words("++ -- := = += -= *= /= %= <<= >>= &= ^= |="),
  calls: {},
  members: {},
  bindings: { variable_assignment: { target: "name", value: "value", declares: true } },
  patterns: words(""),
  lambdas: words(""),
  names: words("variable_name"),
  strings: words("string raw_string word concatenation"),
  interpolations: words("simple_expansion expansion"),
  wrappers: words(""),
  functions: NOTHING,
  reporters: whole("curl|wget"),
  callers: [],
  needsArgument: NOTHING,
  // Names of the environment are read by every program.
  reserved: /^(?:[A-Z_][A-Z0-9_]*|\w+_proxy)$/,
  // Variables belong to the whole script, or to the process that is forked for a part of it.
  scopes: words("subshell command_substitution"),
  blocks: words(""),
  special,
};

function special(node: SyntaxNode): Special | undefined {
  if (node.type === "file_redirect") {
    const target = node.childForFieldName("destination")?.text ?? "";
    const reads = childrenOf(node).some(({ type }) => type === "<");
    const isAway = /^(?:\/dev\/null|\d|-)$/.test(target) || reads;
    return isAway ? { kind: "plain", judge: [] } : impure(`This writes to ${target}`, false);
  }
  // An expansion that gives a default reads; one that sets it changes the variable.
  if (node.type === "expansion" && /^\$\{\w+:?=/.test(node.text))
    return impure("This sets the variable", false);
  if (
    node.type === "binary_expression" &&
    /^[^=!<>]*[^=!<>]=[^=~]/.test(node.text) &&
    node.parent?.type !== "test_command"
  )
    return impure("This changes a variable", false);
  if (node.type !== "command") return undefined;
  const name = node.childForFieldName("name")?.text ?? "";
  const given = node.childrenForFieldName("argument").filter((one) => one !== null);
  const others = namedChildrenOf(node).filter((one) => one.type !== "command_name");
  if (name === "curl" || name === "wget") {
    if (given.some(({ text }) => /^["']?(?:--\w[\w-]*=)?@-["']?$/.test(text)) && !isPipedTo(node))
      return impure("What goes to the program would be read here", true);
    return sending(name, given, others);
  }
  const isInner = hasAbove(node, /^(?:pipeline|command_substitution)$/);
  const writes = given.some(
    ({ text }) => /^(?:-i|-o|--in-place|--output)/.test(text) && name !== "grep" && name !== "ls",
  );
  const harmless = HARMLESS[name];
  const strange = harmless && given.find(({ text }) => !harmless.test(text));
  if (strange) return impure(`${name} may do more with ${strange.text} than read`, false);
  const isReader = TELLERS.test(name) || (FILTERS.test(name) && isPipedTo(node));
  if (name === "true" || name === ":" || name === "wait" || (isInner && isReader && !writes))
    return name === "wait"
      ? { kind: "fault", code: "await-in-probe", what: "The script would wait here" }
      : { kind: "plain", judge: others };
  if (isInner && FILTERS.test(name)) return impure(`${name} would read what goes to the program`, false);
  if (/^(?:echo|printf|logger|tee|cat)$/.test(name))
    return { kind: "fault", code: "native-log", what: `${name} writes to the output of the script` };
  return impure(`${name} may change something`, false);
}

/** curl sends with its one argument that is no option and no value of one. */
function sending(name: string, given: readonly SyntaxNode[], judge: readonly SyntaxNode[]): Special {
  const address: SyntaxNode[] = [];
  for (let at = 0; at < given.length; at += 1) {
    const one = given[at];
    const text = one?.text ?? "";
    const next = given[at + 1]?.text ?? "";
    const isAway = /^(?:-[sSqfk]*[oO]|--output|-qO-|-qO)$/.test(text) && /^(?:\/dev\/null|-)$/.test(next);
    if (isAway || text === "-qO-" || text === "-O-" || text === "-O/dev/null") {
      if (isAway) at += 1;
    } else if (METHOD.test(`${text} ${next}`))
      return { kind: "fault", code: "foreign-address", what: "An event is sent by POST only", reports: true };
    else if (name === "curl" && CURL_WRITES.test(text) && text.startsWith("-"))
      return impure(`curl does more with ${text} than send`, true);
    else if (name === "curl" && CURL_VALUE.test(text)) at += 1;
    else if (
      name === "wget" &&
      text.startsWith("-") &&
      !/^(?:-[qT]\d*|--(?:quiet|post-data|header|timeout|tries|method|body-data)(?:=[^]*)?)$/.test(text)
    )
      return impure(`wget does more with ${text} than send`, true);
    else if (name === "wget" && /^(?:-T|--(?:post-data|header|timeout|tries|method|body-data))$/.test(text))
      at += 1;
    else if (one && !text.startsWith("-")) address.push(one);
  }
  return { kind: "report", address, judge };
}

/** Whether something is piped to a command. */
function isPipedTo(node: SyntaxNode): boolean {
  const above = node.parent?.type === "redirected_statement" ? node.parent : node;
  if (above.parent?.type !== "pipeline") return false;
  return namedChildrenOf(above.parent)[0]?.equals(above) === false;
}

function impure(what: string, reports: boolean): Special {
  return { kind: "fault", code: "impure-expression", what, ...(reports && { reports }) };
}

function hasAbove(node: SyntaxNode, type: RegExp): boolean {
  for (let above = node.parent; above; above = above.parent) if (type.test(above.type)) return true;
  return false;
}
