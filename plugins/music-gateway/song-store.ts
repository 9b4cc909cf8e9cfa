import { SkillError, type Files } from "skillctl";
import { dirname } from "node:path";
import { SongRegister, type Song } from "./song-register.ts";

/** Where the ids of imported songs are kept: `songs.json`, replaced as a whole. */
export class SongStore {
  readonly #files: Files;
  readonly #path: string;

  constructor(files: Files, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /** @throws SkillError `GATEWAY_STATE_BROKEN` when the file is there and no register: ids must not be given anew. */
  async load(): Promise<SongRegister> {
    const text = await this.#files.readText(this.#path);
    if (text === undefined) return new SongRegister();
    const state = parsed(text);
    if (state === undefined) {
      throw new SkillError("GATEWAY_STATE_BROKEN", `${this.#path} cannot be read as a register of songs.`, {
        file: this.#path,
        hint: "Restore it from a copy, or remove it to have new song ids given.",
      });
    }
    return new SongRegister(state.songs, state.next);
  }

  /** Does `change` to the register and keeps the result, again from the start when somebody else wrote meanwhile. */
  async update(change: (register: SongRegister) => void): Promise<SongRegister> {
    for (let attempt = 0; ; attempt += 1) {
      const before = await this.#files.readText(this.#path);
      const register = await this.load();
      change(register);
      const text = `${JSON.stringify({ next: register.next, songs: register.songs }, undefined, 2)}\n`;
      if (text === before) return register;
      const now = await this.#files.readText(this.#path);
      if (now !== before) {
        if (attempt < 5) continue;
        throw new SkillError(
          "GATEWAY_STATE_BROKEN",
          `${this.#path} is being written by others all the time.`,
          {
            file: this.#path,
            hint: "Run one import at a time.",
          },
        );
      }
      await this.#files.makeFolder(dirname(this.#path));
      await this.#files.replace(this.#path, text);
      return register;
    }
  }
}

function parsed(text: string): { readonly songs: readonly Song[]; readonly next: number } | undefined {
  try {
    const { songs, next } = JSON.parse(text) as { songs?: unknown; next?: unknown };
    if (!Number.isSafeInteger(next) || !Array.isArray(songs) || !songs.every(isSong)) return undefined;
    return { songs, next: next as number };
  } catch {
    return undefined;
  }
}

function isSong(value: unknown): value is Song {
  if (typeof value !== "object" || value === null) return false;
  const { id, title, isrc } = value as Record<string, unknown>;
  return (
    Number.isSafeInteger(id) &&
    Number(id) > 0 &&
    typeof title === "string" &&
    (isrc === undefined || typeof isrc === "string")
  );
}
