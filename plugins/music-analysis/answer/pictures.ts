import {
  ENVIRONMENT,
  FILES,
  LOG,
  SkillError,
  inject,
  injectable,
  token,
  type Environment,
  type Files,
  type Log,
  quotedName,
  type Language,
} from "skillctl";
import { dirname, resolve } from "node:path";
import { SERVICE, type Service } from "../service.ts";
import { PRODUCT_NAMES, type ProductNames } from "./product-names.ts";
import { sentence, type HintedName } from "../texts.ts";

export const PICTURES = token<Pictures>("answer-pictures");

/** Identifies pictures from this command. */
const SIGN = "<!-- Drawn by skillctl run music-analysis -->\n";
const WORDS = /(?<=<(?:text|title)[^>]*>)[^<]+/gu;

/** A question and its songs; without songs, it is about the whole account. */
export interface PictureRequest {
  readonly question: string;
  readonly songIds: readonly number[];
  readonly conversation?: string | undefined;
}

/** Draws the figures of answers in files that the user names. Only the embedded service has figures. */
@injectable()
export class Pictures {
  constructor(
    @inject(SERVICE) private readonly service: Service,
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(PRODUCT_NAMES) private readonly products: ProductNames,
    @inject(LOG) private readonly log: Log,
  ) {}

  /**
   * The path for a picture: a new file, or an earlier picture from this command.
   * @throws SkillError `USAGE` if nothing can be drawn, or the file cannot be written.
   */
  async path(name: string, language: Language): Promise<string> {
    const path = resolve(this.environment.workingFolder, name);
    const refuse = (text: HintedName): never => {
      throw new SkillError(
        "USAGE",
        sentence(text, language).replace("{FILE}", () => path),
        { hint: sentence(`${text}-hint`, language) },
      );
    };
    if (!(await this.service.draws())) refuse("picture-remote");
    if ((await this.files.facts(dirname(path)))?.kind !== "folder") refuse("picture-folder");
    const facts = await this.files.facts(path);
    const isOther =
      facts !== undefined &&
      !(facts.kind === "file" && (await this.files.readText(path))?.endsWith(SIGN) === true);
    return isOther ? refuse("picture-there") : path;
  }

  /** Writes the picture. Returns the error if it fails, since the answer is shown without a picture too. */
  async draw(
    path: string,
    shown: PictureRequest | undefined,
    language: Language,
  ): Promise<SkillError | undefined> {
    const picture = shown && (await this.service.picture(shown.question, shown.songIds, shown.conversation));
    if (picture === undefined) return new SkillError("MUSIC_NO_PICTURE", sentence("picture-none", language));
    const plain = picture.replaceAll(WORDS, (words) => this.products.without(words));
    try {
      await this.files.replace(path, plain + SIGN);
    } catch (caught) {
      if (caught instanceof SkillError) return caught;
      throw caught;
    }
    this.log.notice(`The picture is ${quotedName(path)}.`);
    return undefined;
  }
}
