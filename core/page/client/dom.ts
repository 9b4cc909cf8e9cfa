type Child = Node | string;
type Attributes = Readonly<Record<string, string | boolean | EventListener>>;

/** Makes an element. Texts only become text nodes: nothing of an event is ever read as HTML. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  give(made, attributes, children);
  return made;
}

/** The same for a picture. */
export function svg(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  give(made, attributes, children);
  return made;
}

function give(made: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false) made.setAttribute(name, value === true ? "" : value);
  made.append(...children);
}

/** The element of an id that the page has. */
export function byId(id: string): HTMLElement {
  return document.getElementById(id) as HTMLElement;
}

/** Fills the body of a section; without children the section is hidden. */
export function fill(id: string, ...children: readonly Child[]): void {
  const section = byId(id);
  section.hidden = children.length === 0;
  section.querySelector(".body")?.replaceChildren(...children);
}
