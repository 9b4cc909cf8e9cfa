/** An answer that is text. */
export interface Answer {
  readonly status: number;
  /** Header lines, name and value in turn; the length of the text is among them. */
  readonly headers: readonly string[];
  readonly text: string;
}

export function answerOf(status: number, headers: readonly string[], text: string): Answer {
  return { status, headers: [...headers, "Content-Length", String(Buffer.byteLength(text))], text };
}
