"use strict";

const tasks = ["write", "review", "release"];
const list = document.querySelector("#tasks");
const summary = document.querySelector("#summary");

function summarise() {
  const text = tasks.length === 0 ? "nothing to do" : tasks.join(", ");
  summary.textContent = text;
}

/** Takes a task off the list. */
function done(at, item) {
  tasks.splice(at, 1);
  item.remove();
  summarise();
}

function show(task, at) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.textContent = `done: ${task}`;
  button.addEventListener("click", () => done(at, item));
  item.append(button);
  list.append(item);
}

for (const [at, task] of tasks.entries()) show(task, at);
summarise();
