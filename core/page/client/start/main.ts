import type { StartForm, StartSkill, StartView } from "../../start-view.ts";
import { byId, el } from "../dom.ts";
import { call, type Result } from "./call.ts";
import { InputForm } from "./input-form.ts";
import { linked, shown } from "./shown.ts";

/** The beginning of names of places in the page; anything else after # is the key. */
const PLACE = "skill:";
const HOW = "Open the complete address that the server printed, including the key.";

/** Details whose content is created when they are first opened. */
function details(title: readonly (Node | string)[], fill: (place: HTMLElement) => void): HTMLElement {
  const place = el("div");
  const made = el("details", {}, el("summary", {}, ...title), place);
  made.addEventListener("toggle", () => fill(place), { once: true });
  return made;
}

function formOf(form: StartForm): HTMLElement {
  const mark = form.effect === "" ? [] : [" ", el("span", { class: "effect" }, form.effect)];
  return details([el("b", {}, form.name), ...mark, el("br"), form.summary], (place) => {
    const state = el("p", { role: "status" });
    const answer = el("div");
    const input = new InputForm(form, async (value, signal) => {
      const started = performance.now();
      answer.replaceChildren();
      state.textContent = "Running.";
      const tell = (text: string): void => void (state.textContent = text);
      const announce = (text: string): void => answer.append(el("p", { class: "text" }, ...linked(text)));
      const result = await call(form, value, { signal, tell, announce });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      state.textContent = `${endOf(result)} after ${seconds} s.`;
      answer.append(...shown(result));
      if ("problem" in result) input.point(result.problem.pointer);
    });
    place.className = "pair";
    const region = { class: "result", role: "region", "aria-label": `Result of ${form.name}` };
    place.append(input.element, el("div", region, state, answer));
  });
}

function endOf(result: Result): string {
  if ("problem" in result) return result.problem.code === "CANCELLED" ? "Cancelled" : "Refused";
  return "Done";
}

function documentOf(path: string): HTMLElement {
  return details([path], (place) => {
    const text = el("pre", { tabindex: "0", "aria-label": path }, "Reading.");
    place.append(text);
    void fetch(`/v1/page/document?path=${encodeURIComponent(path)}`)
      .then(async (answer) => (answer.ok ? answer.text() : "The document cannot be read."))
      .catch(() => "The server does not answer.")
      .then((content) => text.replaceChildren(...linked(content)));
  });
}

function skillOf({ name, summary, forms, documents }: StartSkill): HTMLElement {
  const title = el("h2", { id: `title:${name}` }, name);
  const parts = documents.length === 0 ? [] : [el("h3", {}, "Documents"), ...documents.map(documentOf)];
  const attributes = { id: PLACE + name, "aria-labelledby": title.id, tabindex: "-1" };
  return el("section", attributes, title, el("p", {}, summary), ...forms.map(formOf), ...parts);
}

function show({ version, skills }: StartView): void {
  byId("version").textContent = version;
  byId("why").textContent = skills.length === 0 ? "No skill is served." : "";
  const links = skills.map(({ name }) => el("a", { href: `#${PLACE}${name}` }, name));
  byId("skills").replaceChildren(...links);
  byId("skills").hidden = false;
  byId(PLACE).replaceChildren(...skills.map(skillOf));
}

async function begin(): Promise<void> {
  const behind = decodeURIComponent(location.hash.slice(1));
  if (behind !== "" && !behind.startsWith(PLACE))
    return location.replace(`/?k=${encodeURIComponent(behind)}`);
  // The server removes a valid key from the address.
  const isWrong = new URLSearchParams(location.search).has("k");
  history.replaceState(null, "", location.pathname + location.hash);
  const answer = await fetch("/v1/page");
  if (answer.ok) return show((await answer.json()) as StartView);
  byId("why").textContent = `${isWrong ? "The key is wrong." : "This server requires a key."} ${HOW}`;
}

begin().catch(() => {
  byId("why").textContent = "The server does not answer. Load the page again.";
});
