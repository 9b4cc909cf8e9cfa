/** A time for people: `40 ms`, `1.2 s`, `3 min 5 s`, `2 h 10 min`. */
export function duration(ms: number): string {
  const rounded = Math.round(ms);
  if (rounded < 1_000) return `${rounded} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${tenths / 10} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return joined(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  return joined(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

function joined(large: number, unit: string, small: number, part: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${part}`;
}

/** `1 event`, `1,200 events`. */
export function events(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "event" : "events"}`;
}
