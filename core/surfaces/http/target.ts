const END = /[?#]/;

/** The path of a request's target as it was sent: the part that the router looks at. */
export function pathOf(url: string): string {
  const end = url.search(END);
  return end < 0 ? url : url.slice(0, end);
}

/** The path with its escapes read, as the router reads them, so that the gate and the router never mean two addresses. */
export function routedPath(url: string): string {
  const path = pathOf(url);
  if (!path.includes("%")) return path;
  try {
    return decodeURI(path);
  } catch {
    // The router refuses it.
    return path;
  }
}
