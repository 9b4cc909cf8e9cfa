import { REDACTED } from "./secret-names.ts";

const MOST_DIGITS = 19;

/** Numbers of the networks that issue cards, by length: Visa, Mastercard, Discover, JCB, UnionPay, American Express, Diners. */
const NETWORKS: readonly RegExp[] = [
  /^4(?:\d{15}|\d{18})$/,
  /^(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/,
  /^(?:6011|65\d\d|64[4-9]\d|35(?:2[89]|[3-8]\d))\d{12}$/,
  /^62\d{14,17}$/,
  /^3[47]\d{13}$/,
  /^3(?:0[0-5]|[68]\d)\d{11}$/,
];

/** Digits in groups, parted by spaces or hyphens, without the groups that are a card's number together. */
export function redactCards(text: string): string {
  const parts = text.split(/([ -])/);
  for (let first = 0; first < parts.length; first += 2) {
    let digits = "";
    for (let last = first; last < parts.length && digits.length < MOST_DIGITS; last += 2) {
      digits += parts[last];
      if (isCardNumber(digits)) parts.splice(first, last - first + 1, REDACTED);
    }
  }
  return parts.join("");
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
