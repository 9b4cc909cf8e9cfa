import { PYTHON } from "./code/python.ts";
import { readCode } from "./code/read-code.ts";
import type { Word } from "./effects.ts";
import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";
import { literal } from "./words.ts";

/** Modules that look or serve, and write nothing that anybody wrote. */
const PLAIN =
  /^(?:http\.server|site|sysconfig|platform|this|calendar|compileall|py_compile|dis|tokenize|ast|tabnanny|pyclbr|inspect|locale|mimetypes|ensurepip|webbrowser|turtledemo|antigravity|symtable)$/;
/** Modules that are programs of the same name. */
const PROGRAM =
  /^(?:pytest|pip|black|ruff|isort|autopep8|flake8|mypy|pylint|tox|nox|coverage|uvicorn|gunicorn|flask|django|poetry|pipenv|yapf|pre_commit|build|twine|virtualenv|jupyter|pyright|bandit|pyupgrade|autoflake|docformatter|sphinx|mkdocs|celery|hatch|uv)$/;

/** Python: text on the command line or standard input, a module, or a file that is run. */
export function python(scene: Scene): void {
  const cut = scene.args.findIndex(
    ({ text, known }) => /^-[a-zA-Z]*[cm]/.test(text ?? known ?? "") && !/^-[WXQ]/.test(text ?? known ?? ""),
  );
  const line = follow("v | + c: m: W: X: Q: check-hash-based-pycs: i!c", scene);
  const [text] = line.all("c");
  const [module] = line.all("m");
  if (text !== undefined) read(text, scene);
  else if (module !== undefined)
    runModule(module, scene, scene.args.slice(cut + (scene.args[cut]?.text?.endsWith("m") === true ? 2 : 1)));
  else if (!line.has("V", "version", "h", "help")) file(line.operands[0], scene);
}

function file(word: Word | undefined, scene: Scene): void {
  if (word !== undefined && word.text !== "-" && word.text !== "/dev/stdin") scene.script(word);
  else if (scene.call.stdin.kind === "text") read({ text: scene.call.stdin.text }, scene);
  else scene.unknown("code");
}

function read({ text }: Word, scene: Scene): void {
  if (text === undefined) scene.unknown("code");
  else readCode(text, PYTHON, scene);
}

function runModule(module: Word, scene: Scene, args: readonly Word[]): void {
  const name = module.text;
  scene.args = args;
  if (name === undefined) scene.unknown("code");
  else if (PROGRAM.test(name)) scene.run([literal(name), ...args]);
  else if (name === "json.tool") follow("r w | indent:", scene);
  else if (name === "unittest") unittest(scene);
  else if (name === "venv") follow("w | prompt:", scene);
  else if (/^(?:zipfile|tarfile|gzip|base64)$/.test(name)) follow("!w r", scene);
  else if (/^(?:cProfile|profile|trace|pdb|runpy)$/.test(name)) follow("x | + o:w s: m!c c:c C:w f:r", scene);
  else if (/^timeit$/.test(name))
    for (const word of follow("v | + n: r: s: u:", scene).operands) read(word, scene);
  else if (!PLAIN.test(name)) own(name, scene);
}

function unittest(scene: Scene): void {
  const { operands, all } = follow("v | s: start-directory: t: top-level-directory: p: pattern: k:", scene);
  const words = operands[0]?.text === "discover" ? operands.slice(1) : operands;
  for (const word of [...all("s", "start-directory", "t", "top-level-directory"), ...words])
    if (/^[./~]|\//.test(word.text ?? "")) scene.suite(word);
}

/** A module of the project is its own code, as a script is; one from elsewhere is a program nobody knows. */
function own(name: string, scene: Scene): void {
  const path = name.replaceAll(".", "/");
  for (const file of [`${path}.py`, `${path}/__main__.py`, `src/${path}.py`, `src/${path}/__main__.py`]) {
    if (scene.kind(literal(file)) === "file") return scene.script(literal(file));
  }
  scene.unknown("unlisted");
}
