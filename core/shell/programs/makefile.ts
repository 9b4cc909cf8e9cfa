/** What stands in a makefile, as far as it is plain (GNU make manual 3 to 6). */
export interface Makefile {
  readonly values: ReadonlyMap<string, string>;
  readonly rules: readonly MakeRule[];
}

interface MakeRule {
  readonly targets: readonly string[];
  readonly needs: readonly string[];
  /** Lines of the recipe, without the tab. */
  readonly recipe: readonly string[];
}

/** Reads rules and plain values. Conditions are not judged: what stands in either branch is taken. */
export function makefileOf(text: string, given: ReadonlyMap<string, string>): Makefile {
  const values = new Map<string, string>();
  const known = { get: (name: string) => given.get(name) ?? values.get(name) };
  const budget = { left: MOST };
  const rules: { targets: readonly string[]; needs: readonly string[]; recipe: string[] }[] = [];
  let inRule = false;
  let inDefine = false;
  for (const line of text.replaceAll(/[ \t]?\\\r?\n[ \t]*/g, " ").split(/\r?\n/)) {
    if (/^\s*(?:define|endef)\b/.test(line)) inDefine = /^\s*define/.test(line);
    if (inDefine || /^\s*(?:#|$|endef\b)/.test(line)) continue;
    if (line.startsWith("\t") && inRule) {
      rules.at(-1)?.recipe.push(line.slice(1));
      continue;
    }
    const [, name, sign, value] =
      /^\s*(?:export\s+|override\s+)*([\w.-]+)\s*(:{0,3}=|\?=|\+=|!=)([^]*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) {
      inRule = false;
      const plain = withoutComment(value);
      if (sign === "!=") values.delete(name);
      else if (sign === "+=") values.set(name, `${values.get(name) ?? ""} ${plain}`.trim());
      else if (sign !== "?=" || !values.has(name)) values.set(name, plain);
      continue;
    }
    const [head = "", ...commands] = line.split(";");
    const [, names, needs] = /^([^:=\t][^:=]*)::?(?!=)([^=]*)$/.exec(withoutComment(head)) ?? [];
    inRule = names !== undefined;
    if (names === undefined || needs === undefined) continue;
    rules.push({
      targets: words(expanded(names, known, budget)),
      needs: words(expanded(needs.replace("|", " "), known, budget)),
      recipe: commands.length > 0 ? [commands.join(";").trim()] : [],
    });
  }
  return { values, rules };
}

const REFERENCE = /\$(?:\$|\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)|\{([^{}]*)\}|([^\s$({]))/g;
const DEEPEST = 10;
/** Values put in, in one makefile or recipe line. */
const MOST = 5000;

/** A text with the values of its variables; what is not known is `${_}`, which is not known to the shell reader either. */
export function expanded(
  text: string,
  values: Pick<ReadonlyMap<string, string>, "get">,
  budget = { left: MOST },
  depth = 0,
): string {
  return text.replaceAll(REFERENCE, (whole: string, round?: string, curly?: string, short?: string) => {
    if (whole === "$$") return "$";
    const value = values.get(round ?? curly ?? short ?? "");
    budget.left -= 1 + (value?.length ?? 0) / 64;
    return value === undefined || depth > DEEPEST || budget.left < 0
      ? "${_}"
      : expanded(value, values, budget, depth + 1);
  });
}

function withoutComment(text: string): string {
  return text.replace(/(?<!\\)#[^]*/, "").trim();
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
