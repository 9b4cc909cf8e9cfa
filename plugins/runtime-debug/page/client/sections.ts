import type { PageHypothesis, PageView } from "../page-view.ts";
import { byId, el, fill } from "#page/client/dom";

/** Shows an event by its number. */
type ShowEvent = (seq: number) => void;

/** Shows the state of the session, except its events and its question. */
export function showSession(view: PageView, showEvent: ShowEvent): void {
  byId("issue").textContent = view.issue;
  const facts = { session: view.id, run: view.runs.now, expected: view.expected, actual: view.actual };
  byId("facts").replaceChildren(
    ...Object.entries(facts).flatMap(([name, value]) =>
      value === undefined ? [] : [el("span", {}, el("b", {}, `${name} `), value)],
    ),
  );
  const steps = view.steps.map(({ number, title, at }) => {
    const attributes = { class: at, value: String(number), "aria-current": at === "now" && "step" };
    const told = at === "later" ? "" : ` (${at})`;
    return el("li", attributes, title, el("span", { class: "unseen" }, told));
  });
  byId("steps").replaceChildren(...steps);
  const earlier = view.earlier.map((one) => hypothesis(one, showEvent));
  fill(
    "hypotheses",
    view.hypotheses.length === 0 && el("p", {}, "None yet."),
    el("ol", { class: "cards" }, ...view.hypotheses.map((one) => hypothesis(one, showEvent))),
    view.cause !== undefined && el("p", { class: "cause" }, el("b", {}, "Root cause: "), view.cause),
    ...view.fixes.map((fix) => el("p", {}, el("b", {}, "Fix: "), fix)),
    earlier.length > 0 &&
      more(`Earlier rounds (${earlier.length})`, el("ol", { class: "cards" }, ...earlier)),
  );
  fill("rates", ...ratesOf(view));
  fill("comparison", ...comparisonOf(view));
  fill("code", ...view.code.map(codeOf));
  fill("notes", ...view.notes.map((note) => el("li", {}, note)));
}

function hypothesis(one: PageHypothesis, showEvent: ShowEvent): HTMLElement {
  const { id, text, refutedBy, observe, verdict, because, lines, cited } = one;
  const links = lines.map((line) =>
    el("button", { class: "cite", click: () => showEvent(Number(/\d+/.exec(line)?.[0])) }, line),
  );
  const judged = el("span", { class: `verdict ${verdict}` }, verdict);
  return el(
    "li",
    { class: verdict },
    el("p", { class: "head" }, el("b", { class: "letter" }, id), ` ${text} `, judged),
    el("p", { class: "small" }, `Refuted by: ${refutedBy}. At `, el("code", {}, observe)),
    (because !== undefined || links.length > 0) &&
      el("p", {}, because !== undefined && `${because} `, ...links),
    cited.length > 0 && more(`Evidence (${cited.length})`, el("pre", {}, cited.join("\n"))),
  );
}

/** Text that is shown on demand. */
function more(title: string, content: HTMLElement): HTMLElement {
  return el("details", {}, el("summary", {}, title), content);
}

function ratesOf({ rates, ratesLines }: PageView): readonly HTMLElement[] {
  if (rates.length === 0) return [];
  const rows = rates.map(({ run, failed, of }) => {
    const text = `failed ${failed} of ${of}`;
    const meter = el("meter", {
      min: "0",
      max: String(of),
      low: "0.25",
      high: "0.5",
      optimum: "0",
      value: String(failed),
      "aria-label": `${run}: ${text}`,
    });
    return el("tr", {}, el("th", { scope: "row" }, run), el("td", {}, meter), el("td", {}, text));
  });
  return [
    el("table", { class: "rates" }, el("tbody", {}, ...rows)),
    ...ratesLines.map((line) => el("p", {}, line)),
  ];
}

function comparisonOf({ comparison }: PageView): readonly HTMLElement[] {
  if (!comparison) return [];
  const { before, after, probes, order } = comparison;
  const titles = ["Point", before ?? "", after ?? "", "Values"];
  const heads = titles.map((text) => el("th", { scope: "col" }, text));
  const rows = probes.map(({ hypothesis, probe, location, before: was, after: is, changed }) => {
    const place = location === undefined ? [] : [el("br"), el("code", {}, location)];
    const counts = [was, is].map((count) => el("td", { class: "number" }, String(count)));
    const values = changed.map(({ field, before: from, after: to }) => {
      const [old, now] = [
        el("span", { class: "was" }, from.join(", ")),
        el("span", { class: "is" }, to.join(", ")),
      ];
      return el("div", {}, el("b", {}, `${field} `), old, " → ", now);
    });
    const difference = el("td", {}, ...values, changed.length === 0 && "no difference");
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, `${hypothesis}:${probe}`, ...place),
      ...counts,
      difference,
    );
  });
  const differs = order.before.findIndex((one, index) => one !== order.after[index]);
  const from = differs < 0 ? Math.min(order.before.length, order.after.length) : differs;
  const sequence = (title: string, points: readonly string[]): HTMLElement => {
    const rows = points.map((point, index) => el("li", { class: index >= from ? "differs" : "" }, point));
    return el("div", {}, el("h4", {}, title), el("ol", {}, ...rows));
  };
  const isSame = order.before.join() === order.after.join();
  const region = { class: "wide", tabindex: "0", role: "region", "aria-label": "Events and values by point" };
  const orders = [sequence(before ?? "", order.before), sequence(after ?? "", order.after)];
  return [
    el("div", region, el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows))),
    el("h3", {}, "Sequence"),
    isSame
      ? more("The same in both runs", el("p", {}, order.before.join(", ") || "No events."))
      : el("div", { class: "orders" }, ...orders),
  ];
}

function codeOf({ file, lines }: PageView["code"][number]): HTMLElement {
  const rows = lines.map(({ number, text, isPoint }, at) => {
    const isGap =
      at > 0 && number > 0 && number - (lines[at - 1]?.number ?? 0) > 1 && lines[at - 1]?.number !== 0;
    const kind = number === 0 ? "probe" : isPoint ? "at" : "";
    const shown = el("span", { class: "number" }, number === 0 ? "◆" : String(number));
    const code = el("code", {}, number === 0 ? `probe ${text}` : text);
    return el("div", { class: `line ${kind} ${isGap ? "gap" : ""}` }, shown, code);
  });
  const region = { class: "source", tabindex: "0", role: "region", "aria-label": `Code of ${file}` };
  return el("div", {}, el("h3", {}, file), el("div", region, ...rows));
}
