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
  byId("steps").replaceChildren(
    ...view.steps.map(({ number, title, at }) =>
      el(
        "li",
        { class: at, value: String(number), ...(at === "now" && { "aria-current": "step" }) },
        title,
        el("span", { class: "unseen" }, at === "done" ? " (done)" : at === "now" ? " (now)" : ""),
      ),
    ),
  );
  const earlier = view.earlier.map((one) => hypothesis(one, showEvent));
  fill(
    "hypotheses",
    ...(view.hypotheses.length === 0 ? [el("p", {}, "None yet.")] : []),
    el("ol", { class: "cards" }, ...view.hypotheses.map((one) => hypothesis(one, showEvent))),
    ...(view.cause === undefined
      ? []
      : [el("p", { class: "cause" }, el("b", {}, "Root cause: "), view.cause)]),
    ...view.fixes.map((fix) => el("p", {}, el("b", {}, "Fix: "), fix)),
    ...(earlier.length === 0
      ? []
      : [
          el(
            "details",
            {},
            el("summary", {}, `Earlier rounds (${earlier.length})`),
            el("ol", { class: "cards" }, ...earlier),
          ),
        ]),
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
  return el(
    "li",
    { class: verdict },
    el(
      "p",
      { class: "head" },
      el("b", { class: "letter" }, id),
      ` ${text} `,
      el("span", { class: `verdict ${verdict}` }, verdict),
    ),
    el("p", { class: "small" }, `Refuted by: ${refutedBy}. At `, el("code", {}, observe)),
    ...(because === undefined && links.length === 0
      ? []
      : [el("p", {}, ...(because === undefined ? [] : [`${because} `]), ...links)]),
    ...(cited.length === 0
      ? []
      : [
          el("details", {}, el("summary", {}, `Evidence (${cited.length})`), el("pre", {}, cited.join("\n"))),
        ]),
  );
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
  const heads = ["Point", before ?? "", after ?? "", "Values"].map((text) =>
    el("th", { scope: "col" }, text),
  );
  const rows = probes.map(({ hypothesis, probe, location, before: was, after: is, changed }) =>
    el(
      "tr",
      {},
      el(
        "th",
        { scope: "row" },
        `${hypothesis}:${probe}`,
        ...(location === undefined ? [] : [el("br"), el("code", {}, location)]),
      ),
      el("td", { class: "number" }, String(was)),
      el("td", { class: "number" }, String(is)),
      el(
        "td",
        {},
        ...changed.map(({ field, before: from, after: to }) =>
          el(
            "div",
            {},
            el("b", {}, `${field} `),
            el("span", { class: "was" }, from.join(", ")),
            " → ",
            el("span", { class: "is" }, to.join(", ")),
          ),
        ),
        ...(changed.length === 0 ? ["no difference"] : []),
      ),
    ),
  );
  const differs = order.before.findIndex((one, index) => one !== order.after[index]);
  const from = differs < 0 ? Math.min(order.before.length, order.after.length) : differs;
  const sequence = (title: string, points: readonly string[]): HTMLElement =>
    el(
      "div",
      {},
      el("h4", {}, title),
      el(
        "ol",
        {},
        ...points.map((point, index) => el("li", { class: index >= from ? "differs" : "" }, point)),
      ),
    );
  const isSame = order.before.join() === order.after.join();
  return [
    el(
      "div",
      { class: "wide", tabindex: "0", role: "region", "aria-label": "Events and values by point" },
      el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows)),
    ),
    el("h3", {}, "Sequence"),
    ...(isSame
      ? [
          el(
            "details",
            {},
            el("summary", {}, "The same in both runs"),
            el("p", {}, order.before.join(", ") || "No events."),
          ),
        ]
      : [
          el(
            "div",
            { class: "orders" },
            sequence(before ?? "", order.before),
            sequence(after ?? "", order.after),
          ),
        ]),
  ];
}

function codeOf({ file, lines }: PageView["code"][number]): HTMLElement {
  const rows = lines.map(({ number, text, isPoint }, at) => {
    const isGap =
      at > 0 && number > 0 && number - (lines[at - 1]?.number ?? 0) > 1 && lines[at - 1]?.number !== 0;
    const kind = number === 0 ? "probe" : isPoint ? "at" : "";
    return el(
      "div",
      { class: `line ${kind} ${isGap ? "gap" : ""}` },
      el("span", { class: "number" }, number === 0 ? "◆" : String(number)),
      el("code", {}, number === 0 ? `probe ${text}` : text),
    );
  });
  return el(
    "div",
    {},
    el("h3", {}, file),
    el("div", { class: "source", tabindex: "0", role: "region", "aria-label": `Code of ${file}` }, ...rows),
  );
}
