import type { PageView } from "../page-view.ts";
import { byId, el, replace } from "#page/client/dom";

type Answer = (answer: {
  readonly question: string;
  readonly answer: string;
  readonly note?: string;
}) => Promise<string>;

/** The open question, with a button for each option; an unsent note is kept. */
export class QuestionForm {
  #shown = "";

  constructor(private readonly answer: Answer) {}

  show({ question, answered, steps }: PageView): void {
    const key = JSON.stringify([question, answered]);
    if (key === this.#shown) return;
    this.#shown = key;
    const section = byId("question");
    section.className = question ? "waits" : "";
    document.title = `${question ? `● ${question.text}` : (steps.find(({ at }) => at === "now")?.title ?? "Debug session")} – ${byId("issue").textContent}`;
    const told =
      answered !== undefined && el("p", { class: "answered" }, el("b", {}, "You have answered: "), answered);
    const title = el("h2", { id: "question-title" }, question?.text ?? "No question is open");
    if (!question) {
      const next = answered === undefined ? "The agent is working." : "Tell the agent to continue.";
      replace(section, title, told, el("p", {}, next));
      return;
    }
    const note = el("textarea", { id: "note", rows: "2", maxlength: "4000" });
    const state = el("p", { role: "alert" });
    const buttons = Object.entries(question.options).map(([letter, label]) =>
      el(
        "button",
        { type: "button", class: "option", click: () => void send(letter) },
        el("b", {}, letter),
        ` ${label}`,
      ),
    );
    const send = async (letter: string): Promise<void> => {
      for (const button of buttons) button.disabled = true;
      state.textContent = "Sending the answer.";
      const text = note.value.trim();
      const refusal = await this.answer({
        question: question.text,
        answer: letter,
        ...(text !== "" && { note: text }),
      });
      state.textContent = refusal === "" ? "The answer is recorded." : refusal;
      for (const button of buttons) button.disabled = refusal === "";
      if (refusal === "") section.focus();
    };
    replace(
      section,
      title,
      told,
      question.steps.length > 0 && el("ol", {}, ...question.steps.map((step) => el("li", {}, step))),
      el("label", { for: "note" }, "Note for the record (optional)"),
      note,
      el("div", { class: "options", role: "group", "aria-label": "Answers" }, ...buttons),
      state,
    );
  }
}
