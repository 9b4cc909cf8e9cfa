/** A missing child is left out. */
type Child = Node | string | false | undefined;
type Attributes = Readonly<Record<string, string | boolean | EventListener>>;

/** Creates an element. Texts become text nodes: no part of an event is ever parsed as HTML. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  give(made, attributes, children);
  return made;
}

/** Creates an SVG element. */
export function svg(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  give(made, attributes, children);
  return made;
}

function give(made: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false) made.setAttribute(name, value === true ? "" : value);
  made.append(...children.filter(isThere));
}

function isThere(child: Child): child is Node | string {
  return child !== undefined && child !== false;
}

/** The element of the page with an id. */
export function byId(id: string): HTMLElement {
  return document.getElementById(id) as HTMLElement;
}

/** Replaces the content of an element. */
export function replace(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(...children.filter(isThere));
}

/** Fills the body of a section; without children the section is hidden. */
export function fill(id: string, ...children: readonly Child[]): void {
  const section = byId(id);
  section.hidden = !children.some(isThere);
  section.querySelector(".body")?.replaceChildren(...children.filter(isThere));
}
