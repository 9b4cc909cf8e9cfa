import type { PageEvent } from "../page-view.ts";
import { byId, el } from "#page/client/dom";

/** The number of newest events in memory; older ones are in the log. */
const MOST_HELD = 30_000;
const DROPPED_AT_ONCE = 5_000;
/** The number of rows rendered beyond those in view. */
const BEYOND = 8;
const MOST_PRINTED = 200;

/** The events in a virtual list: only the rows in view are in the document. */
export class EventList {
  readonly #list = byId("list");
  readonly #rows = byId("rows");
  readonly #letter = byId("letter") as HTMLSelectElement;
  readonly #point = byId("point") as HTMLSelectElement;
  readonly #text = byId("text") as HTMLInputElement;
  readonly #follow = byId("follow") as HTMLInputElement;
  #all: PageEvent[] = [];
  #shown: PageEvent[] = [];
  #older = 0;
  #chosen = 0;
  #rowHeight = 0;
  #isDue = false;

  constructor() {
    this.#list.addEventListener("scroll", () => {
      // A size change also scrolls.
      if (this.#isDue) return;
      this.#follow.checked = this.#isAtEnd;
      this.#draw();
    });
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    this.#list.addEventListener("click", ({ target }) => {
      const row = (target as Element).closest<HTMLElement>("[data-seq]");
      if (row) this.show(Number(row.dataset["seq"]));
    });
    byId("filter").addEventListener("submit", (event) => event.preventDefault());
    for (const control of [this.#letter, this.#point, this.#text])
      control.addEventListener("input", () => this.#filter());
    this.#follow.addEventListener("change", () => this.#due());
    addEventListener("resize", () => {
      this.#rowHeight = 0;
      this.#due();
    });
    addEventListener("beforeprint", () => this.#print());
    addEventListener("afterprint", () => this.#due());
  }

  add(events: readonly PageEvent[]): void {
    this.#all.push(...events);
    this.#shown.push(...events.filter(this.#filterNow()));
    if (this.#all.length > MOST_HELD) {
      const gone = this.#all.splice(0, this.#all.length - MOST_HELD + DROPPED_AT_ONCE);
      this.#older += gone.length;
      const first = this.#all[0]?.seq ?? 0;
      this.#shown = this.#shown.filter(({ seq }) => seq >= first);
    }
    this.#offer(
      this.#letter,
      events.flatMap(({ letters }) => letters.split(",")),
    );
    this.#offer(this.#point, events.map(pointOf));
    this.#due();
  }

  clear(): void {
    [this.#all, this.#shown, this.#older] = [[], [], 0];
    this.#due();
  }

  /** Selects an event, scrolls to it, and shows it completely. */
  show(seq: number): void {
    if (!this.#shown.some((one) => one.seq === seq)) {
      if (!this.#all.some((one) => one.seq === seq)) return;
      this.#letter.value = this.#point.value = this.#text.value = "";
      this.#filter();
    }
    const index = this.#shown.findIndex((one) => one.seq === seq);
    const chosen = this.#shown[index];
    if (!chosen) return;
    this.#chosen = seq;
    this.#follow.checked = false;
    const [top, height] = [index * this.#height, this.#list.clientHeight];
    if (top < this.#list.scrollTop) this.#list.scrollTop = top;
    else if (top + this.#height > this.#list.scrollTop + height)
      this.#list.scrollTop = top + this.#height - height;
    byId("detail").hidden = false;
    byId("detail-title").textContent = `Event #${seq}`;
    byId("detail-text").textContent = detailOf(chosen);
    this.#draw();
  }

  get #isAtEnd(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.#list;
    return scrollTop + clientHeight >= scrollHeight - this.#height;
  }

  get #height(): number {
    if (this.#rowHeight === 0) {
      const probe = rowOf({
        seq: 0,
        time: "",
        run: "",
        letters: "",
        point: "",
        message: "",
        data: "",
        flags: "",
      });
      this.#rows.append(probe);
      this.#rowHeight = probe.offsetHeight;
      probe.remove();
    }
    // The page is not visible yet.
    return this.#rowHeight || 1;
  }

  /** The filter from the present controls: reading them for each event would take longer than filtering. */
  #filterNow(): (event: PageEvent) => boolean {
    const [letter, point, text] = [this.#letter.value, this.#point.value, this.#text.value.toLowerCase()];
    return (event) => {
      if (letter !== "" && !event.letters.split(",").includes(letter)) return false;
      if (point !== "" && pointOf(event) !== point) return false;
      return text === "" || `${event.message} ${event.data} ${event.point}`.toLowerCase().includes(text);
    };
  }

  #filter(): void {
    this.#shown = this.#all.filter(this.#filterNow());
    this.#due();
  }

  #offer(select: HTMLSelectElement, values: readonly string[]): void {
    for (const value of new Set(values)) {
      const isKnown = value === "" || [...select.options].some((option) => option.value === value);
      if (!isKnown && select.options.length < 200) select.append(el("option", { value }, value));
    }
  }

  #due(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  #draw(): void {
    const count = this.#shown.length;
    byId("room").style.height = `${count * this.#height}px`;
    if (this.#follow.checked) this.#list.scrollTop = this.#list.scrollHeight;
    const first = Math.max(0, Math.floor(this.#list.scrollTop / this.#height) - BEYOND);
    const most = Math.ceil(this.#list.clientHeight / this.#height) + 2 * BEYOND;
    this.#rows.style.transform = `translateY(${first * this.#height}px)`;
    this.#fillRows(first, most);
    const older = this.#older === 0 ? "" : `; ${this.#older} older ones are in the log`;
    const told = count === this.#all.length ? `${count}` : `${count} of ${this.#all.length}`;
    byId("count").textContent = `${told} events${older}`;
  }

  #fillRows(first: number, most: number): void {
    const rows = this.#shown.slice(first, first + most).map((event, at) => {
      const row = rowOf(event);
      row.id = `event-${event.seq}`;
      row.setAttribute("aria-setsize", String(this.#shown.length));
      row.setAttribute("aria-posinset", String(first + at + 1));
      row.setAttribute("aria-selected", String(event.seq === this.#chosen));
      return row;
    });
    this.#rows.replaceChildren(...rows);
    const isThere = rows.some((row) => row.id === `event-${this.#chosen}`);
    if (isThere) this.#list.setAttribute("aria-activedescendant", `event-${this.#chosen}`);
    else this.#list.removeAttribute("aria-activedescendant");
  }

  #key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.#list.clientHeight / this.#height) - 1);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    };
    const move = moves[event.key];
    if (move === undefined || this.#shown.length === 0) return;
    event.preventDefault();
    const now = this.#shown.findIndex(({ seq }) => seq === this.#chosen);
    const from = now < 0 ? (move > 0 ? -1 : this.#shown.length) : now;
    const next = Math.min(this.#shown.length - 1, Math.max(0, from + move));
    this.show(this.#shown[next]?.seq ?? 0);
  }

  /** For printing, the last events are rendered as a plain list. */
  #print(): void {
    const first = Math.max(0, this.#shown.length - MOST_PRINTED);
    this.#rows.style.transform = "none";
    byId("room").style.height = "auto";
    this.#fillRows(first, MOST_PRINTED);
    if (first > 0) byId("count").textContent += `; the last ${MOST_PRINTED} are printed`;
  }
}

function pointOf({ point, message }: PageEvent): string {
  return point === "" ? message : point;
}

function rowOf({ seq, time, run, letters, point, message, data, flags }: PageEvent): HTMLElement {
  const cell = (name: string, text: string) => el("span", { class: name }, text);
  return el(
    "div",
    { role: "option", class: "row", "data-seq": String(seq) },
    cell("seq", `#${seq}`),
    cell("time", time.slice(time.indexOf("T") + 1).replace(/Z$/, "")),
    cell("letters", letters),
    cell("run", run),
    cell("point", point),
    cell("data", `${message} ${data}`.trim()),
    ...(flags === "" ? [] : [cell("flags", flags)]),
  );
}

function detailOf({ time, run, letters, point, message, data, flags }: PageEvent): string {
  let shown = data;
  try {
    shown = JSON.stringify(JSON.parse(data), undefined, 2);
  } catch {
    // Shortened, or empty.
  }
  const facts = { time, run, hypotheses: letters, point, message, flags };
  const lines = Object.entries(facts).flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${value}`]));
  return [...lines, shown].join("\n");
}
