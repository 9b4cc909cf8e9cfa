import { inert } from "../store/event/inert-text.ts";
import type { ProbeRow } from "./rows.ts";

/** The same row with nothing in its texts that does something where it is shown. */
export function inertRow(row: ProbeRow): ProbeRow {
  const { hypothesis, probe, location, changed } = row;
  return {
    ...row,
    hypothesis: inert(hypothesis),
    probe: inert(probe),
    ...(location !== undefined && { location: inert(location) }),
    changed: changed.map(({ field, before, after }) => ({
      field: inert(field),
      before: before.map(inert),
      after: after.map(inert),
    })),
  };
}
