const IN_TITLE = /^#+\s*\[([A-Za-z]+)\]/m;
const IN_A_LINE =
  /^(?:[^\S\r\n\u2028\u2029]|[>|*-])*(?:status|状态|狀態|estado|statut)(?:[^\S\r\n\u2028\u2029]|[*_])*[:：|](?:[^\S\r\n\u2028\u2029]|[*_`])*\[?([A-Za-z]+)/im;

/** The status in a record, in upper case: on a separate line or row, or in the title, in any of their forms. */
export function statusIn(text: string): string | undefined {
  const status = (IN_A_LINE.exec(text) ?? IN_TITLE.exec(text))?.[1];
  return status?.toUpperCase() ?? (text.includes("[OPEN]") ? "OPEN" : undefined);
}
