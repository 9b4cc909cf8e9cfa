import { type SyntaxNode, childrenOf, namedChildrenOf } from "../../syntax/syntax.ts";
import type { Fault, RegionFault } from "./fault.ts";
import { isNativeLog } from "./native-name.ts";
import { isOwnAddress } from "./addresses.ts";
import { Locals } from "./locals.ts";
import { type Call, callIn, unwrapped } from "./names.ts";
import type { Rules } from "./rules.ts";

/** What was seen in an expression or statement. */
export interface Seen {
  /** How many events it reports. */
  readonly reports: number;
  readonly faults: readonly Fault[];
}

/** Goes through what stands in a region. `locals` are the names that belong to the region alone. */
export class Walker {
  #reports = 0;
  readonly #faults: Fault[] = [];

  constructor(
    private readonly rules: Rules,
    private readonly locals = new Locals(),
  ) {}

  /** Judges one statement or expression. */
  static seen(node: SyntaxNode, rules: Rules, locals?: Locals): Seen {
    const walker = new Walker(rules, locals);
    walker.#walk(node, false);
    return { reports: walker.#reports, faults: walker.#faults };
  }

  #walk(node: SyntaxNode, inFunction: boolean): void {
    const { rules } = this;
    if (node.isError || node.isMissing) return this.#fault(node, "does-not-parse", "This cannot be read");
    if (!node.isNamed) {
      if (rules.signs.has(node.type))
        this.#fault(node, "impure-expression", `\`${node.type}\` changes something`);
      return;
    }
    const special = rules.special?.(node, this.locals);
    if (special?.kind === "fault") {
      if (special.reports) this.#reports += 1;
      return this.#fault(node, special.code, special.what);
    }
    if (special) {
      if (special.kind === "report") this.#report(node, special.address);
      for (const one of special.judge) this.#walk(one, inFunction);
      return;
    }
    const refused = rules.refused[node.type];
    if (refused) return this.#refuse(node, refused, REFUSED[refused] ?? "This changes something");
    const call = callIn(node, rules);
    if (call) return this.#call(node, call, inFunction);
    const binding = rules.bindings[node.type];
    if (binding) {
      const target = node.childForFieldName(binding.target);
      const value = node.childForFieldName(binding.value);
      if (target) this.#target(target, node);
      if (value) this.#walk(value, inFunction);
      return;
    }
    if (!rules.plain.has(node.type) && !(inFunction && rules.inFunction.has(node.type)))
      return this.#refuse(node, "impure-expression", `\`${brief(node.text)}\` is more than a value`);
    for (const child of childrenOf(node)) this.#walk(child, inFunction || rules.lambdas.has(node.type));
  }

  #call(node: SyntaxNode, call: Call, inFunction: boolean): void {
    const { rules } = this;
    const isReport = rules.reporters.test(call.name);
    if (isNativeLog(call.name))
      return this.#fault(node, "native-log", `${call.name} writes to a console or log of the program`);
    const thrown = isReport ? rules.mayThrow?.(node, call.name) : undefined;
    if (thrown !== undefined) this.#fault(node, "may-throw", thrown);
    if (isReport) this.#report(node, call.arguments.slice(rules.addressAt?.(call.name) ?? 0).slice(0, 1));
    else if (!call.inPlace && !rules.functions.test(call.name))
      return this.#fault(
        node,
        "impure-expression",
        `${brief(call.name.replace(/^\*\./, ""))} may change something`,
      );
    const handed = this.#handedOver(call);
    if (handed) return this.#refuse(node, "impure-expression", `${brief(handed.text)} would be called here`);
    if (rules.needsArgument.test(call.name) && call.arguments.length === 0)
      this.#fault(node, "impure-expression", `${brief(call.name)} may wait or take something away`);
    const on = call.on && !rules.names.has(call.on.type) ? [call.on] : [];
    for (const one of on) this.#walk(one, inFunction);
    for (const one of [...(call.inPlace ? [call.inPlace] : []), ...call.arguments, ...call.also])
      this.#walk(one, inFunction);
  }

  /** An argument that is called by what it is given to, and not written there. */
  #handedOver({ name, arguments: given }: Call): SyntaxNode | undefined {
    const { rules } = this;
    const [, called] = rules.callers.find(([names]) => names.test(name)) ?? [];
    if (!called) return undefined;
    const isKnown = (one: SyntaxNode): boolean => rules.lambdas.has(one.type) || KNOWN.test(one.text);
    const spread = given.find((one) => SPREAD.test(unwrapped(one, rules)?.type ?? ""));
    if (spread) return spread;
    const strange = called
      .flatMap((at) => given[at] ?? [])
      .find((one) => !isKnown(unwrapped(one, rules) ?? one));
    return strange?.type === "keyword_argument" || !strange
      ? given.find((one) => {
          const value = CALLED.test(one.text) ? one.childForFieldName("value") : null;
          return one.type === "keyword_argument" && value !== null && !isKnown(value);
        })
      : strange;
  }

  /** Refuses a node as a whole; whether it reports is counted all the same. */
  #refuse(node: SyntaxNode, code: RegionFault, what: string): void {
    this.#fault(node, code, what);
    const count = (one: SyntaxNode): void => {
      if (this.rules.reporters.test(callIn(one, this.rules)?.name ?? "")) this.#reports += 1;
      for (const child of namedChildrenOf(one)) count(child);
    };
    count(node);
  }

  #report(node: SyntaxNode, address: readonly SyntaxNode[]): void {
    this.#reports += 1;
    if (address.length > 0 && address.every((one) => isOwnAddress(one, this.rules, this.locals))) return;
    const [first] = address;
    this.#fault(first ?? node, "foreign-address", "It is not sure that this is sent to the debug server");
  }

  #target(target: SyntaxNode, node: SyntaxNode): void {
    if (this.rules.patterns.has(target.type)) {
      for (const one of namedChildrenOf(target)) this.#target(one, node);
      return;
    }
    if (target.text === "_" || (this.rules.names.has(target.type) && this.locals.has(target))) return;
    this.#fault(node, "impure-expression", `This changes ${brief(target.text)}`);
  }

  #fault(node: SyntaxNode, code: RegionFault, what: string): void {
    this.#faults.push({ line: node.startPosition.row, code, sentence: `${what}.` });
  }
}

/** Functions that only read, handed over by their names. */
const KNOWN =
  /^(?:null|undefined|None|\[[^]*\]|String|Number|Boolean|BigInt|Object\.keys|JSON\.stringify|Math\.\w+|str|repr|len|int|float|abs|bool|type|id)$/;
/** Arguments that stand for several: which of them is called cannot be told. */
const SPREAD = /^(?:spread_element|variadic_unpacking|list_splat|dictionary_splat)$/;
/** Arguments of Python that are called. */
const CALLED = /^(?:key|default|target|cls|object_hook)\s*=/;

const REFUSED: Readonly<Partial<Record<RegionFault, string>>> = {
  "await-in-probe": "The program would wait here for the report",
  "native-log": "This writes to the output of the program",
  "not-a-probe": "This is a part of the program",
  "declares-name": "This declares a name that is there without the region too",
};

export function brief(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}
