import { REDACTED } from "./secret-names.ts";

/** Digits as cards show them: in one piece, or in groups with one separator. */
const DIGITS =
  /(?<![A-Za-z0-9]|\d\.)(?:\d{14,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{2,7}|\d{4}([ -])\d{6}\2\d{4,5})(?![A-Za-z0-9]|\.\d)/g;
const GROUP = 4;

/** Numbers of the networks that issue cards, by length: Visa, Mastercard, Discover, JCB, UnionPay, American Express, Diners. */
const NETWORKS: readonly RegExp[] = [
  /^4(?:\d{15}|\d{18})$/,
  /^(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/,
  /^(?:6011|65\d\d|64[4-9]\d|35(?:2[89]|[3-8]\d))\d{12}$/,
  /^62\d{14,17}$/,
  /^3[47]\d{13}$/,
  /^3(?:0[0-5]|[68]\d)\d{11}$/,
];

/** The text without the numbers of cards in it. */
export function redactCards(text: string): string {
  let clean = "";
  let copied = 0;
  DIGITS.lastIndex = 0;
  for (let found = DIGITS.exec(text); found !== null; found = DIGITS.exec(text)) {
    if (isCardNumber(found[0].replace(/[ -]/g, ""))) {
      clean += text.slice(copied, found.index) + REDACTED;
      copied = DIGITS.lastIndex;
    } else if (found[1] ?? found[2]) {
      // A card can begin with the next group.
      DIGITS.lastIndex = found.index + GROUP;
    }
  }
  return copied === 0 ? text : clean + text.slice(copied);
}

/** Whether digits are a card's number: of a network, and right by its check digit (Luhn). Times and counts are not. */
function isCardNumber(digits: string): boolean {
  return NETWORKS.some((network) => network.test(digits)) && luhn(digits) % 10 === 0;
}

function luhn(digits: string): number {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const weighted = place % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum;
}
