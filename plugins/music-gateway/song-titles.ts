export { titleKey } from "./store/songs.ts";
