import { RegExpParser, type AST } from "@eslint-community/regexpp";
import type { Predicate } from "../contract.ts";
import { isObject } from "../schema/json.ts";
import type { Condition } from "./screen.ts";

/** Texts of which at least one occurs; undefined if none is known. */
type Choice = readonly string[] | undefined;

const PARSER = new RegExpParser();
/** Characters that JSON does not escape. */
const PLAIN = /^[ !#-[\]-~]$/;
/** A list that begins with a string, an object or a list has an item. */
const FIRST_ITEMS = ['["', "[{", "[["];
/** Their shape is unknown, and a keyword for another type accepts any value. */
const SHAPELESS = new Set(["input", "output"]);
const ALWAYS: Condition = ["all"];

/**
 * The words without which a predicate rejects every request. The build computes them, so a hook need not load and
 * evaluate rules that cannot match. Strings that are compared as a whole are in quotes.
 */
export function necessaryWords(when: Predicate | undefined): Condition {
  const definitions = when?.$defs ?? {};
  const conditionOf = (schema: unknown, where: string, isText = false): Condition => {
    if (!isObject(schema)) return ALWAYS;
    const part = schema as Predicate;
    // A pattern accepts any value that is not a text.
    const ofText = isText || part.type === "string";
    const choices = [
      constantsOf(part),
      ofText && part.pattern !== undefined ? wordsOfPattern(part.pattern) : undefined,
    ];
    const below: Condition[] = [conditionOf(part.contains, where)];
    for (const name of part.required ?? []) {
      const own = part.properties?.[name];
      if (where !== "" || !SHAPELESS.has(name)) below.push(conditionOf(own, where === "" ? name : where));
      if (isFilled(own)) choices.push(FIRST_ITEMS.map((start) => `${JSON.stringify(name)}:${start}`));
    }
    for (const one of part.allOf ?? []) below.push(conditionOf(one, where, ofText));
    if (part.$ref?.startsWith("#/$defs/"))
      below.push(conditionOf(definitions[part.$ref.slice(8)], where, ofText));
    if (part.anyOf) below.push(any(part.anyOf.map((one) => conditionOf(one, where, ofText))));
    // No words are collected for the request as a whole.
    const has = choices.flatMap((choice): readonly Condition[] =>
      choice && where !== "" ? [["has", where, ...choice.map((word) => word.toLowerCase())]] : [],
    );
    return all([...has, ...below]);
  };
  return conditionOf(when, "");
}

function all(parts: readonly Condition[]): Condition {
  const flat = parts.flatMap((part) => (part[0] === "all" ? part.slice(1) : [part])) as Condition[];
  const [only] = flat;
  return only && flat.length === 1 ? only : ["all", ...flat];
}

function any(parts: readonly Condition[]): Condition {
  return parts.some((part) => part[0] === "all" && part.length === 1) ? ALWAYS : ["any", ...parts];
}

function isFilled(schema: unknown): boolean {
  return isObject(schema) && (Number(schema["minItems"] ?? 0) > 0 || schema["contains"] !== undefined);
}

function constantsOf({ const: only, enum: several }: Predicate): Choice {
  const values = only === undefined ? several : [only];
  const isPlain = (value: unknown): boolean =>
    typeof value === "string" && [...value].every((char) => PLAIN.test(char));
  return values?.every(isPlain) ? values.map((value) => JSON.stringify(value)) : undefined;
}

function wordsOfPattern(source: string): Choice {
  // The pattern names a folder of this machine as `{state}`, for example; one that may be any folder is not a word.
  const literal = source
    .replaceAll(/\{(state|home|program)\}/g, String.raw`(\{$1\})`)
    .replaceAll("{above}", "(.*)");
  return wordsOf(PARSER.parsePattern(literal));
}

function wordsOf(node: AST.Node): Choice {
  switch (node.type) {
    case "Pattern":
    case "Group":
    case "CapturingGroup": {
      const choices = node.alternatives.map(({ elements }) => wordsOfSequence(elements));
      return choices.every((choice) => choice !== undefined) ? [...new Set(choices.flat())] : undefined;
    }
    case "Quantifier":
      return node.min > 0 ? wordsOf(node.element) : undefined;
    default: {
      const char = characterOf(node);
      return char === undefined ? undefined : [char];
    }
  }
}

/** Consecutive characters form one word; the rarest one is taken. */
function wordsOfSequence(elements: readonly AST.Element[]): Choice {
  const found: (readonly string[])[] = [];
  let row = "";
  const endRow = (): void => {
    if (row !== "") found.push([row]);
    row = "";
  };
  for (const element of elements) {
    const char = characterOf(element);
    if (char === undefined) {
      endRow();
      const words = element.type === "Assertion" ? undefined : wordsOf(element);
      if (words) found.push(words);
    } else row += char;
  }
  endRow();
  return rarest(found);
}

/** The one character that an element stands for, in lower case: `[aA]` is `a`. */
function characterOf(node: AST.Node): string | undefined {
  if (node.type === "CharacterClass") {
    const chars = new Set(node.negate ? [] : node.elements.map((element) => characterOf(element)));
    const [only] = chars;
    return chars.size === 1 ? only : undefined;
  }
  if (node.type !== "Character") return undefined;
  const char = String.fromCodePoint(node.value);
  return PLAIN.test(char) ? char.toLowerCase() : undefined;
}

/** The choice whose shortest word is the longest. */
function rarest(choices: readonly (readonly string[])[]): Choice {
  const shortest = (words: readonly string[]): number => Math.min(...words.map(({ length }) => length));
  return choices.reduce<Choice>(
    (best, one) => (best && shortest(best) >= shortest(one) ? best : one),
    undefined,
  );
}
