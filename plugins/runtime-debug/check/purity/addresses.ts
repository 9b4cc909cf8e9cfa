import { type SyntaxNode, childrenOf, namedChildrenOf } from "../../syntax/syntax.ts";
import { OWN_NAME, addressKind, beginsOwnAddress, isOwnAddressText } from "./address.ts";
import type { Locals } from "./locals.ts";
import { callIn, unwrapped } from "./names.ts";
import type { Rules } from "./rules.ts";

/** Calls whose first argument is the address. */
const AROUND = /(?:^|\.)(?:new URL|URI|Request|URL|parse|String|fopen|curl_init|Post\w*|create)$/;
/** Calls that leave an address what it is. */
const SAME = /\.(?:trim|strip|rstrip|chomp|toString|to_s|trimEnd|split|pop|at)$/;
/** Calls that look the address up by its name; what else they are given is what they answer without it. */
const LOOK_UP = /(?:^|[.>])(?:getenv|Getenv|get|fetch)$/;
/** Calls that look for it in a text. */
const SEARCH = /(?:^|[.>])(?:match|exec|search|findall|find|group)$/;

/** What may stand behind an address that is found: a path or a query. */
const BEHIND = /^["'`]?[/?]/;
/** In front of strings of Python. */
const PREFIX = /^[rRbBuU]{1,2}(?=["'])/;

/** Whether an expression can only be an address of the debug server: a literal one, or what is found as DEBUG_SERVER_URL. */
export function isOwnAddress(
  given: SyntaxNode,
  rules: Rules,
  locals: Locals,
  asked: ReadonlySet<string> = new Set(),
): boolean {
  const node = unwrapped(given, rules);
  if (!node) return false;
  const own = (one: SyntaxNode): boolean => isOwnAddress(one, rules, locals, asked);
  if (rules.strings.has(node.type)) return isOwnString(node, rules, own);
  if (rules.names.has(node.type)) {
    const name = node.text.replace(/^\$/, "");
    // A name that is given a value made of itself is what its other values are.
    if (asked.has(node.text) || /^DEBUG_(?:SERVER|BASE)_URL$/.test(name)) return true;
    const values = locals.valuesAt(node);
    const further = new Set(asked).add(node.text);
    return values.length > 0 && values.every((one) => isOwnAddress(one, rules, locals, further));
  }
  const [left, ...rest] = namedChildrenOf(node);
  if (rules.interpolations.has(node.type))
    return left !== undefined && own(left) && addressKind(node.text) !== "foreign";
  const call = callIn(node, rules);
  if (call) {
    const [first, ...others] = call.arguments;
    if (LOOK_UP.test(call.name) && first && isOwnName(first)) return others.every(own);
    if (SEARCH.test(call.name) && call.arguments.some((one) => isOwnName(one))) return true;
    if (first && AROUND.test(call.name)) return own(first);
    return call.on !== undefined && (SAME.test(call.name) || SEARCH.test(call.name)) && own(call.on);
  }
  if (!left) return false;
  if (/(?:member|attribute|subscript|element_reference|index|selector|optional)/.test(node.type))
    return rest.some((one) => isOwnName(one)) || own(left);
  if (/ternary|conditional/.test(node.type)) return rest.every(own);
  if (/binary|boolean/.test(node.type)) {
    const sign = childrenOf(node).find((one) => !one.isNamed)?.type;
    if (sign === "+" || sign === ".")
      return own(left) && (rest.every((one) => BEHIND.test(one.text)) || hasPath(left.text));
    return sign !== "&&" && sign !== "and" && own(left) && rest.every(own);
  }
  return false;
}

/** A literal that is an address of its own; what is put into it may only be one in front, or stand behind the host. */
function isOwnString(node: SyntaxNode, rules: Rules, own: (node: SyntaxNode) => boolean): boolean {
  const [first, ...others] = namedChildrenOf(node).filter(({ type }) => !/_(?:start|end)$/.test(type));
  if (first && rules.interpolations.has(first.type))
    return own(first) && others.slice(0, 1).every((one) => BEHIND.test(one.text));
  if (others.length > 0) return beginsOwnAddress(first?.text ?? "");
  return isOwnAddressText(node.text.replace(PREFIX, "").replaceAll(/^(["'`]?)([^]*)\1$/g, "$2"));
}

/** A literal address that no text behind it can lead elsewhere. */
function hasPath(literal: string): boolean {
  return beginsOwnAddress(literal.replaceAll(/^["']|["']$/g, ""));
}

function isOwnName(node: SyntaxNode): boolean {
  return OWN_NAME.test(node.text) && addressKind(node.text) !== "foreign";
}
