/**
 * Attempts of a page against a server, by name. Every attempt returns the part that the page can see: `read: TEXT`,
 * `loaded`, `opaque` or `sent` if it learns no more than that, `failed`. It sends `{"msg":NAME}`.
 */
const event = (name) => JSON.stringify({ msg: name });
const JSON_TYPE = { "content-type": "application/json" };
const CURSOR = { ...JSON_TYPE, "X-Debug-Session-Id": "4f2a91" };

async function asked(url, init = {}) {
  const response = await fetch(url, init);
  return response.type === "opaque" ? "opaque" : `read: ${await response.text()}`;
}

const post = (url, body, more = {}) => asked(url, { method: "POST", body, ...more });

/** Adds an element and waits until the browser reports the outcome. */
function element(tag, fields) {
  return new Promise((resolve) => {
    const added = Object.assign(document.createElement(tag), fields);
    added.addEventListener("load", () => resolve("loaded"));
    added.addEventListener("error", () => resolve("failed"));
    document.documentElement.append(added);
  });
}

async function frame(src) {
  const name = `frame${document.querySelectorAll("iframe").length}`;
  await element("iframe", { src, name });
  const text = window.frames[name]?.document?.body?.innerText;
  return text === undefined ? "opaque" : `read: ${text}`;
}

/** A form of plain text whose only field, with the sign between name and value, makes an object. */
function form(url, name) {
  const target = `form${document.forms.length}`;
  const sent = element("iframe", { name: target }).then(() => "sent");
  const form = document.createElement("form");
  const field = { type: "hidden", name: `{"msg":"${name}","sign":"`, value: `"}` };
  Object.assign(form, { action: url, method: "post", enctype: "text/plain", target });
  form.append(Object.assign(document.createElement("input"), field));
  document.documentElement.append(form);
  form.submit();
  return sent;
}

/** The same, but the page forbids the browser to send its origin. */
function anonymousForm(url, name) {
  const policy = { name: "referrer", content: "no-referrer" };
  document.head.append(Object.assign(document.createElement("meta"), policy));
  return form(url, name);
}

function socket(url) {
  return new Promise((resolve) => {
    const opened = new WebSocket(url.replace(/^http/, "ws"));
    opened.addEventListener("open", () => resolve("loaded"));
    opened.addEventListener("error", () => resolve("failed"));
  });
}

/** Waits until the browser has finished the request, whatever the outcome. */
function beacon(url, body) {
  return new Promise((resolve) => {
    const watch = new PerformanceObserver((list) => {
      if (list.getEntriesByName(url).length > 0) resolve("sent", watch.disconnect());
    });
    watch.observe({ type: "resource" });
    if (!navigator.sendBeacon(url, body)) resolve("failed");
  });
}

/** Each takes the address of an operation, and a name that identifies the attempt. */
const ATTEMPTS = {
  "fetch-text": (url, name) => post(url, event(name)),
  "fetch-json": (url, name) => post(url, event(name), { headers: JSON_TYPE }),
  "fetch-cursor": (url, name) => post(url, event(name), { headers: CURSOR }),
  "fetch-opaque": (url, name) => post(url, event(name), { mode: "no-cors" }),
  "fetch-redirected": (url, name) =>
    post(`/redirect?to=${encodeURIComponent(url)}`, event(name), { mode: "no-cors" }),
  "beacon-text": (url, name) => beacon(url, event(name)),
  "beacon-json": (url, name) => beacon(url, new Blob([event(name)], { type: "application/json" })),
  form,
  "form-anonymous": anonymousForm,
  "violation-report": (url) => frame(`/reporting?to=${encodeURIComponent(url)}`).then(() => "sent"),
  run: (url) => post(url, '{"runId":"post-fix"}', { headers: JSON_TYPE }),
  "run-opaque": (url) => post(url, '{"runId":"post-fix"}', { mode: "no-cors" }),
  read: (url) => asked(url),
  "read-opaque": (url) => asked(url, { mode: "no-cors" }),
  "read-script": (src) => element("script", { src }),
  "read-frame": frame,
  "read-socket": socket,
  delete: (url) => asked(url, { method: "DELETE" }),
};

/** Makes an attempt that the test has named. */
globalThis.attempt = async ([name, url]) => {
  try {
    return await ATTEMPTS[name](url, name);
  } catch {
    return "failed";
  }
};
