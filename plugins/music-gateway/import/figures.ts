/** The decimal separator of a file's figures. */
export type DecimalSign = "point" | "comma";

export const DECIMAL_SIGNS: readonly DecimalSign[] = ["point", "comma"];

/** The number of decimals that figures keep; further ones are rounded, halves away from zero. */
export const DECIMALS = 9;

const SPACE = " \u00A0\u202F";

/** The form of a figure, as a regular expression for both readers: digits in groups of three, decimals, an exponent, a currency sign. */
export function figurePattern(sign: DecimalSign): string {
  const [decimal, group] = sign === "point" ? ["\\.", ","] : [",", "\\."];
  const groups = [group, `[${SPACE}]`, "['’]"].map((one) => `(?:${one}\\d{3})+`).join("|");
  const currency = `[$€£¥]?[${SPACE}]?`;
  const whole = `(?:[1-9]\\d{0,2}(?:${groups})|\\d+)(?:${decimal}\\d*)?`;
  return `${currency}[-+−]?${currency}(?:${whole}|${decimal}\\d+)(?:[eE][-+]?\\d{1,2})?[${SPACE}]?[$€£¥]?`;
}

/** The form of a count with three zeros after its separator: thousands, unless the file uses this separator for decimals. */
export function thousandsLike(sign: DecimalSign): string {
  return `[-+−]?\\d+${sign === "point" ? "\\." : ","}000`;
}

const FORMS = new Map(
  DECIMAL_SIGNS.map((sign) => [
    sign,
    {
      figure: new RegExp(`^${figurePattern(sign)}$`, "u"),
      thousands: new RegExp(`^${thousandsLike(sign)}$`, "u"),
    },
  ]),
);

/** A figure as a whole number and the number of its decimals: 1.50 is 150 with scale 2. */
export interface Figure {
  readonly mantissa: bigint;
  readonly scale: number;
}

const MOST = 10n ** 19n;
const MOST_COUNT = 2n ** 63n;

const LONGEST = 60;

/** The figure in a cell with this decimal separator; undefined if the cell has none. */
export function figureIn(cell: string, sign: DecimalSign, isCount: boolean): Figure | undefined {
  const text = cell.replace(/^ +/u, "").trimEnd();
  const forms = FORMS.get(sign);
  if (text.length > LONGEST) return undefined;
  if (forms?.figure.test(text) !== true || (isCount && forms.thousands.test(text))) return undefined;
  const plain = text.replaceAll("−", "-").replaceAll(sign === "point" ? /[^\d.eE+-]/gu : /[^\d,eE+-]/gu, "");
  const [digits = "", exponent = "0"] = plain.toLowerCase().split("e");
  const [whole = "", decimals = ""] = digits.split(sign === "point" ? "." : ",");
  const scale = decimals.length - Number(exponent);
  const mantissa = BigInt(`${whole.replace(/^[-+]/u, "")}${decimals}`) * (whole.startsWith("-") ? -1n : 1n);
  const figure = rounded({ mantissa, scale }, DECIMALS);
  const size = figure.mantissa < 0n ? -figure.mantissa : figure.mantissa;
  if (size >= MOST * 10n ** BigInt(figure.scale)) return undefined;
  if (!isCount) return figure;
  const one = 10n ** BigInt(figure.scale);
  return figure.mantissa % one === 0n && size / one < MOST_COUNT ? figure : undefined;
}

/** The figure with 0 to `places` decimals. */
function rounded({ mantissa, scale }: Figure, places: number): Figure {
  if (scale < 0) return { mantissa: mantissa * 10n ** BigInt(-scale), scale: 0 };
  if (scale <= places) return { mantissa, scale };
  const unit = 10n ** BigInt(scale - places);
  const half = mantissa < 0n ? -unit / 2n : unit / 2n;
  return { mantissa: (mantissa + half) / unit, scale: places };
}

/** An exact sum. Small figures are added as numbers, which is exact for them, then carried over into a bigint. */
export class ExactSum {
  /** The sums by scale. */
  readonly #small = new Float64Array(DECIMALS + 1);
  /** In units of the last decimal place. */
  #carried = 0n;

  /** `mantissa` is below 1e15. */
  addSmall(mantissa: number, scale: number): void {
    const sum = (this.#small[scale] ?? 0) + mantissa;
    if (sum < 8e15 && sum > -8e15) this.#small[scale] = sum;
    else {
      this.add({ mantissa: BigInt(sum - mantissa), scale });
      this.#small[scale] = mantissa;
    }
  }

  add({ mantissa, scale }: Figure): void {
    this.#carried += mantissa * 10n ** BigInt(DECIMALS - scale);
  }

  addAll(other: ExactSum): void {
    this.#carried += other.#carried;
    for (const [scale, small] of other.#small.entries()) this.add({ mantissa: BigInt(small), scale });
  }

  /** A decimal number without trailing zeros. */
  toString(): string {
    let sum = this.#carried;
    for (const [scale, small] of this.#small.entries())
      sum += BigInt(small) * 10n ** BigInt(DECIMALS - scale);
    const digits = String(sum < 0n ? -sum : sum).padStart(DECIMALS + 1, "0");
    let end = digits.length;
    while (end > digits.length - DECIMALS && digits[end - 1] === "0") end -= 1;
    const whole = digits.slice(0, -DECIMALS);
    const text = end === whole.length ? whole : `${whole}.${digits.slice(whole.length, end)}`;
    return sum < 0n ? `-${text}` : text;
  }
}
