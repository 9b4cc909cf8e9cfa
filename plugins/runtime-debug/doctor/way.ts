import type { DoctorOutput } from "../contract.ts";

/** One link of the way of an event, as the output shows it. */
export type Link = DoctorOutput["links"][number];

/** The links that were looked at, in order. After a broken one nothing more is looked at that lies behind it. */
export class Way {
  readonly links: Link[] = [];

  get isWhole(): boolean {
    return this.links.every(({ ok }) => ok);
  }

  get broken(): Link | undefined {
    return this.links.find(({ ok }) => !ok);
  }

  holds(link: string, sentence: string, hint?: string): void {
    this.links.push({ link, ok: true, sentence, ...(hint !== undefined && { hint }) });
  }

  breaks(link: string, sentence: string, hint: string): void {
    this.links.push({ link, ok: false, sentence, hint });
  }
}
