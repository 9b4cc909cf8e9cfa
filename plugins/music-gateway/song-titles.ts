/** Equal for titles that differ in title marks, white space and case only. Versions such as "(Live)" stay apart. */
export function titleKey(title: string): string {
  return title
    .normalize("NFC")
    .replaceAll(/[《》〈〉\s\u200B\u2060]/gu, "")
    .toLowerCase()
    .normalize("NFC");
}

/** Equal also where a file name has another sign for one that file names forbid: `Where Are You_`. */
export function fileTitleKey(title: string): string {
  return titleKey(title).replaceAll(/[/\\:*?"<>|_]/g, "_");
}
