const HYPOTHESES = 5;
const RUNS = 20;
const PLACES = ["auth/token.ts:42", "cart/total.ts:118", "net/retry.ts:77", "ui/list.tsx:305"] as const;
const DIGITS = 9;
const ZERO = 48;
const MARK = `"#`;

/** Session of every event of a bench. */
export const SESSION = "bench-load";

/** The number of an event stands in its line after this mark; it has nine digits. */
export const NUMBER_MARK = Buffer.from(MARK);
export const NUMBER_DIGITS = DIGITS;

/** About 300 bytes, the size of events that programs send; hypothesis and run are spread over a hundred pairs. */
function eventLine(index: number): string {
  const pair = (Math.imul(index, 2_654_435_761) >>> 8) % (HYPOTHESES * RUNS);
  return JSON.stringify({
    sessionId: SESSION,
    runId: `run-${Math.floor(pair / HYPOTHESES)}`,
    hypothesisId: `H${(pair % HYPOTHESES) + 1}`,
    location: PLACES[index % PLACES.length],
    msg: "[DEBUG] state before the answer is used",
    data: {
      n: `#${"0".repeat(DIGITS)}`,
      attempt: index % 7,
      cached: index % 3 === 0,
      user: `account-${index % 1_009}`,
      path: "/v1/orders/pending",
      ms: 12.25,
    },
    ts: 1_766_000_000_000 + index,
  });
}

/** A body whose events get new numbers each time it is sent. */
export interface NumberedBody {
  readonly bytes: Buffer;
  readonly count: number;
  /** Where the digits of each event's number begin. */
  readonly places: readonly number[];
}

/** One line an event; the events differ with `index`, the number of the first of them. */
export function numberedBody(count: number, index = 0): NumberedBody {
  const lines = Array.from({ length: count }, (_, line) => eventLine(index + line));
  const bytes = Buffer.from(lines.join("\n"), "latin1");
  const places: number[] = [];
  for (let at = bytes.indexOf(MARK); at !== -1; at = bytes.indexOf(MARK, at + 1))
    places.push(at + MARK.length);
  return { bytes, count, places };
}

/** Gives the events of a body, which begins at `start` of `bytes`, the numbers from `first` on. */
export function writeNumbers(bytes: Buffer, start: number, { places }: NumberedBody, first: number): void {
  let number = first;
  for (const place of places) {
    let rest = number;
    for (let at = start + place + DIGITS - 1; at >= start + place; at -= 1) {
      bytes[at] = ZERO + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    number += 1;
  }
}
