import manifest from "../../../../skills/runtime-debug/skill.json" with { type: "json" };

/** What stands before everything that was collected. */
export const NOTICE: string = manifest.texts.notice.text;
