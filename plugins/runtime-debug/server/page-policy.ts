/** The directive for requests of a page, or the default for missing directives. */
const DIRECTIVES = ["connect-src", "default-src"] as const;
const META = /<meta\b[^<>]*>/gi;
const QUOTED = /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
const HOST_SOURCE = /^(?:([a-z][a-z\d+.-]*):\/\/)?(\*|(?:\*\.)?[\w.-]+|\[[\da-f:]+\])(?::(\d+|\*))?(\/.*)?$/i;

/** The content security policies of a page, from its header and its text. */
export function policiesOf(header: string, page: string): readonly string[] {
  const metas = [...page.matchAll(META)].flatMap(([tag]) => {
    const [, double, single] = QUOTED.exec(tag) ?? [];
    return /http-equiv\s*=\s*["']?content-security-policy["'\s]/i.test(tag) ? [double ?? single ?? ""] : [];
  });
  return [...header.split(","), ...metas.map((text) => text.replaceAll(/&#0*39;|&#x27;|&apos;/gi, "'"))];
}

/** The directive that forbids a page to send to an address; `undefined` if all policies permit it. */
export function forbiddingDirective(policies: readonly string[], page: URL, target: URL): string | undefined {
  for (const policy of policies) {
    const directives = policy.split(";").map((one) => one.trim().split(/\s+/));
    const named = (name: string) => directives.find(([first = ""]) => first.toLowerCase() === name);
    const directive = DIRECTIVES.map(named).find((one) => one !== undefined);
    if (directive && !directive.slice(1).some((source) => allows(source, page, target)))
      return directive.join(" ");
  }
  return undefined;
}

/** Whether a source of a directive matches an address (Content Security Policy Level 3, section 6.7.2). */
function allows(source: string, page: URL, target: URL): boolean {
  if (source === "*") return true;
  if (source.toLowerCase() === "'self'") return page.origin === target.origin;
  const isScheme = (scheme: string): boolean =>
    target.protocol === `${scheme}:` || (scheme === "http" && target.protocol === "https:");
  const [, scheme] = /^([a-z][a-z\d+.-]*):$/i.exec(source) ?? [];
  if (scheme !== undefined) return isScheme(scheme.toLowerCase());
  const [, before = page.protocol.slice(0, -1), host = "", port, path] = HOST_SOURCE.exec(source) ?? [];
  const [wanted, name] = [host.toLowerCase(), target.hostname.toLowerCase()];
  const isHost = wanted.startsWith("*") ? name.endsWith(wanted.slice(1)) : name === wanted;
  const own = target.port === "" ? (target.protocol === "https:" ? "443" : "80") : target.port;
  const isPort = port === "*" || own === (port ?? (target.protocol === "https:" ? "443" : "80"));
  const isPath =
    path === undefined || (path.endsWith("/") ? target.pathname.startsWith(path) : target.pathname === path);
  return host !== "" && isScheme(before.toLowerCase()) && isHost && isPort && isPath;
}
