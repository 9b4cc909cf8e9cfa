import type { TraceMap } from "@jridgewell/trace-mapping";
import { quotedName } from "skillctl";
import type { InspectorSession, Message } from "./inspector.ts";
import type { Point, PointList, Witness } from "./point.ts";
import {
  generated,
  isOlder,
  lineIn,
  mapOf,
  mayServe,
  pathOf,
  plainText,
  scriptOf,
  sourceOf,
  urlOf,
  type Position,
  type Script,
  type Texts,
} from "./scripts.ts";
import { expressionsOf, faultOf, noStatement, otherText, shownPlace, staleText, telling } from "./telling.ts";

/** A place in the code of a debuggee, and the points there. */
interface Site {
  readonly url: string;
  readonly at: Position;
  readonly points: Point[];
  /** The debuggee's id; missing while the breakpoint is not set. */
  breakpoint?: string;
}

/** A location in the form of the protocol: numbers start at 0. */
interface Location {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber?: number;
}

const RISK = " A page can crash there when it is reloaded: the previous statement is safer.";
/** Longest pause of a program during the evaluation, in milliseconds. */
const PAUSE_MS = 3_000;
/** The time after a pause in which another one is likely, in milliseconds. */
const NUDGE_MS = 60;

/**
 * The points of one debuggee: a breakpoint each, whose condition reports the values and is always false, so that the
 * program does not stop. Only the first pass stops it, to evaluate the values once in the mode in which the engine
 * throws at side effects.
 */
export class Debuggee {
  readonly #sites: Site[] = [];
  /** The loaded scripts, by their addresses. */
  readonly #scripts = new Map<string, Script>();
  readonly #checked = new Set<Point>();
  readonly #refused = new Set<Point>();
  /** Points whose source is newer than the running code. */
  readonly #stale = new Set<Point>();
  /** The pending placement in scripts; the program waits for scripts with source maps. */
  #placing: Promise<unknown> = Promise.resolve();

  /** The pending changes of breakpoints. */
  #arming: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: InspectorSession,
    private readonly points: PointList,
    private readonly texts: Texts,
    private readonly witness: Witness,
    /** The name under which the program reports. */
    private readonly name: string,
  ) {}

  /** @throws SkillError `PROGRAM_FAILED` */
  async start(): Promise<void> {
    const { session } = this;
    session.on("Runtime.bindingCalled", ({ name, payload }) => {
      if (name === this.name) this.#told(String(payload));
    });
    session.on("Debugger.scriptParsed", (params) => this.#place(scriptOf(params)));
    session.on("Debugger.breakpointResolved", ({ breakpointId, location }) => {
      const site = this.#sites.find(({ breakpoint }) => breakpoint === breakpointId);
      const resolved = site && this.#placing.then(() => this.#resolved(site, location as Location));
      if (resolved) this.#placing = resolved.catch(() => undefined);
    });
    session.on("Debugger.paused", (params) => {
      // The program must be resumed after any failure.
      const over = new AbortController();
      const resume = (): void => {
        over.abort();
        void session.call("Debugger.resume").catch(() => undefined);
      };
      const late = setTimeout(resume, PAUSE_MS);
      // TCP delays a second small message by 40 ms unless this side has sent data.
      const nudge = setInterval(() => session.nudge(), 2);
      const looked = this.#paused(params, over.signal).catch(() => undefined);
      void looked.finally(() => {
        clearTimeout(late);
        resume();
        // The next point may be hit in the same call.
        setTimeout(() => clearInterval(nudge), NUDGE_MS);
      });
    });
    await session.call("Runtime.enable");
    await session.call("Runtime.addBinding", { name: this.name });
    const enabled = session.call("Debugger.enable");
    this.#placing = enabled.then(() => this.#refuseBuilds());
    await enabled;
    const kind = "beforeScriptWithSourceMapExecution";
    await session.call("Debugger.setInstrumentationBreakpoint", { instrumentation: kind });
    this.#placing = this.#placing.then(() => this.#await());
    await this.#placing;
  }

  /** Sets new points, and removes deleted ones. */
  change(): Promise<unknown> {
    const changed = this.#placing.then(() => this.#replaced());
    this.#placing = changed.catch(() => undefined);
    return changed;
  }

  async #replaced(): Promise<void> {
    for (const script of this.#scripts.values()) await this.#placeIn(script).catch(() => undefined);
    await this.#await();
    // This comes last, so that no pass is missed between a point and its replacement.
    for (const point of this.points.gone) await this.#remove(point);
  }

  /** Points whose file is not loaded yet: it will have its own address, or be named in a source map. */
  async #await(): Promise<void> {
    for (const point of this.#wanted()) {
      const isKnown = this.#sites.some(({ points }) => points.includes(point));
      if (!isKnown) await this.#add(point, urlOf(point.file), plain(point), false);
    }
  }

  #wanted(): readonly Point[] {
    const { all, gone } = this.points;
    return all.filter((point) => !gone.has(point) && !this.#refused.has(point));
  }

  /** Removes all points from the debuggee. Resolves when they are removed, or the debuggee has ended. */
  async leave(): Promise<void> {
    const { session, name } = this;
    await Promise.allSettled([
      session.call("Debugger.disable"),
      session.call("Runtime.removeBinding", { name }),
      session.call("Runtime.evaluate", { expression: `delete globalThis[${JSON.stringify(name)}]` }),
    ]);
  }

  #place(script: Script): void {
    if (script.url === "" || script.url.startsWith("node:")) return;
    this.#scripts.set(script.url, script);
    this.#placing = this.#placing.then(() => this.#placeIn(script)).catch(() => undefined);
  }

  /** Refuses points in a program with a build that lacks the fix. */
  async #refuseBuilds(): Promise<void> {
    if (this.texts.changed.length === 0) return;
    for (const script of this.#scripts.values()) await this.#refuseBuild(script, await this.#mapOf(script));
  }

  async #refuseBuild(script: Script, map: TraceMap | undefined): Promise<void> {
    const { changed, files } = this.texts;
    for (const { file, path } of map ? changed : []) {
      const source = map && (await sourceOf(map, file, path, files));
      if (!source || !(await isOlder(script, source, file, files))) continue;
      for (const point of this.#wanted()) {
        await this.#remove(point);
        this.#note(point, "refused", `${script.url} was built without the fix: build it again.`);
      }
    }
  }

  async #mapOf(script: Script): Promise<TraceMap | undefined> {
    return script.mapUrl === "" ? undefined : mapOf(script, this.texts);
  }

  async #placeIn(script: Script): Promise<void> {
    const { files } = this.texts;
    const map = await this.#mapOf(script);
    await this.#refuseBuild(script, map);
    for (const point of this.#wanted()) {
      const { file, path, line } = point;
      const source = map && (await sourceOf(map, file, path, files));
      if (map && source) {
        const at = generated(map, source, line);
        const old = at && (await this.#otherText(script, point));
        if (script.url === urlOf(file) || old !== undefined) await this.#remove(point);
        if (!at) this.#note(point, "refused", noStatement(point, script.url));
        else if (old !== undefined) this.#note(point, "refused", old);
        else {
          if (await isOlder(script, source, file, files)) this.#stale.add(point);
          await this.#add(point, script.url, at, true);
        }
      } else if (pathOf(script.url) === file || mayServe(script.url, path)) {
        if (await this.#isSame(script, point)) await this.#add(point, script.url, plain(point), true);
      }
    }
  }

  /** The difference between the running build and the file; `undefined` if they are equal. */
  async #otherText(script: Script, point: Point): Promise<string | undefined> {
    const path = pathOf(script.url);
    // Code that is compiled at load time has no file.
    if (path === undefined || path === point.file) return undefined;
    const written = await this.texts.files.readText(path);
    return written === undefined || (await this.#running(script)).includes(plainText(written))
      ? undefined
      : `${otherText(path)} than the present file.`;
  }

  async #running({ id: scriptId }: Script): Promise<string> {
    const { scriptSource } = await this.session.call("Debugger.getScriptSource", { scriptId });
    return plainText(String(scriptSource));
  }

  /** Whether the running line equals the line in the file. */
  async #isSame(script: Script, point: Point): Promise<boolean> {
    const running = lineIn(await this.#running(script), point.line);
    const written = lineIn((await this.texts.files.readText(point.file)) ?? "", point.line);
    if (running === written) return true;
    if (pathOf(script.url) !== point.file) return false;
    await this.#remove(point);
    const what = `${otherText(point.path)}: its line ${point.line} is \`${running.trim()}\`.`;
    this.#note(point, "refused", what);
    return false;
  }

  async #add(point: Point, url: string, at: Position, isLoaded: boolean): Promise<void> {
    let site = this.#sites.find(
      (one) => one.url === url && one.at.line === at.line && one.at.column === at.column,
    );
    if (!site) this.#sites.push((site = { url, at, points: [] }));
    if (site.points.includes(point) || (await this.#isNone(point))) return;
    // The replaced breakpoint is removed in the same step.
    const stay = site.points.filter((one) => !this.points.gone.has(one));
    site.points.splice(0, site.points.length, ...stay, point);
    if ((await this.#arm(site)) || !isLoaded) return;
    await this.#remove(point);
    this.#note(point, "refused", noStatement(point));
  }

  /** Refuses a point with an invalid expression, as far as this can be checked elsewhere: not with a name after #, nor with super. */
  async #isNone(point: Point): Promise<boolean> {
    for (const { name, expression } of expressionsOf(point)) {
      if (this.#checked.has(point) || /#|\bsuper\b|\bnew\.target\b/.test(expression)) continue;
      const script = { expression: `(${expression})`, sourceURL: "", persistScript: false };
      const compiled = this.session.call("Runtime.compileScript", script);
      const { exceptionDetails } = await compiled.catch((): Message => ({}));
      if (exceptionDetails === undefined) continue;
      this.#note(point, "refused", faultOf(point, name, "is not a JavaScript expression", expression));
      return true;
    }
    return false;
  }

  async #remove(point: Point): Promise<void> {
    for (const site of this.#sites) {
      const index = site.points.indexOf(point);
      if (index === -1) continue;
      site.points.splice(index, 1);
      await this.#arm(site);
    }
  }

  /** @returns whether the code there is loaded */
  async #arm(site: Site): Promise<boolean> {
    // One after the other: a pass may check a point while another point is set at its line.
    const armed = this.#arming.then(() => this.#set(site));
    this.#arming = armed.catch(() => undefined);
    const first = await armed;
    if (first) await this.#resolved(site, first);
    else
      for (const point of site.points)
        this.#note(
          point,
          "waiting",
          `${shownPlace(point)} waits: none of its code is loaded yet.${this.#twinOf(point)}`,
        );
    return first !== undefined;
  }

  /**
   * Names the loaded script that is probably the build of a point's file: it has the same name, with another ending or
   * folder.
   */
  #twinOf({ file, path }: Point): string {
    const root = file.slice(0, -path.length);
    const twins = [...this.#scripts.keys()]
      .map((url) => pathOf(url) ?? url)
      .filter((one) => one !== file && !one.includes("/node_modules/") && stemOf(one) === stemOf(file));
    const [twin] = twins.toSorted(
      (one, other) => Number(other.startsWith(root)) - Number(one.startsWith(root)),
    );
    if (twin === undefined) return "";
    const shown = quotedName(twin.startsWith(root) ? twin.slice(root.length) : twin);
    return ` ${shown} is loaded, and has no source map that points here: if it is the build of this file, set the point there.`;
  }

  /** One breakpoint per site, without a condition until all its expressions are known to change nothing. */
  async #set(site: Site): Promise<Location | undefined> {
    // This call is not awaited: the program should run as little as possible before the next call.
    const { breakpoint } = site;
    const kept = breakpoint === undefined ? undefined : this.#kept(site);
    const removed = breakpoint === undefined ? undefined : this.#without(breakpoint);
    delete site.breakpoint;
    if (site.points.length === 0) {
      await removed;
      await this.#without(await kept);
      return undefined;
    }
    const isChecked = site.points.every((point) => this.#checked.has(point));
    const set = await this.session.call("Debugger.setBreakpointByUrl", {
      url: site.url,
      lineNumber: site.at.line,
      columnNumber: site.at.column,
      ...(isChecked && { condition: `${telling(site.points, this.points.all, this.name)},false` }),
    });
    site.breakpoint = String(set["breakpointId"]);
    await this.#without(await kept);
    const [first] = set["locations"] as readonly Location[];
    return first;
  }

  /**
   * A breakpoint with a false condition at the place of one that is about to be removed: Node (20.20) aborts if the last breakpoint
   * of a function is removed while its condition is evaluated at a return.
   */
  async #kept({ url, at }: Site): Promise<string | undefined> {
    const place = { lineNumber: at.line, columnNumber: at.column, condition: "false" };
    const urlRegex = `^${url.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}$`;
    const { breakpointId } = await this.session
      .call("Debugger.setBreakpointByUrl", { urlRegex, ...place })
      .catch((): Message => ({}));
    return typeof breakpointId === "string" ? breakpointId : undefined;
  }

  async #without(breakpointId: string | undefined): Promise<void> {
    if (breakpointId === undefined) return;
    await this.session.call("Debugger.removeBreakpoint", { breakpointId }).catch(() => undefined);
  }

  /** The engine moves a breakpoint to the next statement. */
  async #resolved(site: Site, at: Location): Promise<void> {
    const risk = (await this.#isRisky(site, at)) ? RISK : "";
    for (const point of site.points.slice()) {
      if (at.lineNumber === site.at.line) {
        const tried = this.#checked.has(point) ? "" : "; the first pass checks the data";
        const stale = this.#stale.has(point) ? staleText(point) : "";
        this.#note(point, "set", `${shownPlace(point)} is observed${tried}.${stale}${risk}`);
      } else {
        await this.#remove(point);
        this.#note(point, "refused", noStatement(point));
      }
    }
  }

  /** Where a function returns, Chromium (156) fails an internal check when a reloaded page drops the breakpoint. */
  async #isRisky({ url }: Site, start: Location): Promise<boolean> {
    if (!/^https?:/.test(url)) return false;
    const end = { ...start, lineNumber: start.lineNumber + 1, columnNumber: 0 };
    const { locations } = await this.session.call("Debugger.getPossibleBreakpoints", { start, end });
    return (locations as readonly { readonly type?: string }[])[0]?.type === "return";
  }

  async #paused({ reason, hitBreakpoints = [], callFrames }: Message, over: AbortSignal): Promise<void> {
    if (reason === "instrumentation") await this.#placing;
    // A pass can come before the response that names its breakpoint.
    await this.#arming;
    const hit = hitBreakpoints as readonly string[];
    const [frame] = callFrames as readonly { readonly callFrameId: string; readonly location: Location }[];
    /** Returns the thrown value. */
    const evaluate = async (expression: string, throwOnSideEffect: boolean): Promise<string | undefined> => {
      // In a later pause, the same frame may be at another place in the program.
      over.throwIfAborted();
      const { exceptionDetails } = await this.session.call("Debugger.evaluateOnCallFrame", {
        callFrameId: frame?.callFrameId,
        expression,
        throwOnSideEffect,
        silent: true,
      });
      const thrown = exceptionDetails as
        | { readonly exception?: { readonly description?: string } }
        | undefined;
      return thrown && (thrown.exception?.description ?? "Error");
    };
    for (const site of this.#sites.filter(({ breakpoint = "" }) => hit.includes(breakpoint))) {
      if (frame && frame.location.lineNumber !== site.at.line) {
        // The pass was at another statement.
        await this.#resolved(site, frame.location);
        continue;
      }
      await this.#check(site, evaluate);
      // This pass is reported too.
      if (site.points.length > 0) await evaluate(telling(site.points, this.points.all, this.name), false);
      await this.#arm(site);
    }
  }

  /** Evaluates the expressions of a site's points in the mode in which the engine throws at side effects. */
  async #check(
    { points }: Site,
    evaluate: (expression: string, throwOnSideEffect: boolean) => Promise<string | undefined>,
  ): Promise<void> {
    const unchecked = points.filter((point) => !this.#checked.has(point));
    const looks = unchecked
      .filter(({ allowCall }) => !allowCall)
      .flatMap((point) => expressionsOf(point).map((one) => ({ point, ...one })));
    const tries = looks.map(({ expression }) => `()=>JSON.stringify((${expression}))`);
    // Code cannot catch errors that the engine throws there.
    const all = `(q=>{for(let f of q)try{f()}catch{}})([${tries.join(",")}])`;
    if ((await evaluate(all, true)) !== undefined)
      for (const { point, name, expression } of looks) {
        const thrown = (await evaluate(`JSON.stringify((${expression}))`, true)) ?? "";
        const what = /^\w*SyntaxError/.test(thrown)
          ? "is not a JavaScript expression"
          : "may have side effects";
        if (!points.includes(point) || !/SyntaxError|Possible side-effect/.test(thrown)) continue;
        await this.#remove(point);
        this.#note(point, "refused", faultOf(point, name, what, expression));
      }
    for (const point of unchecked) this.#checked.add(point);
  }

  #told(payload: string): void {
    const { i, d, t, k } = JSON.parse(payload) as {
      i: number;
      d?: Record<string, unknown>;
      t: number;
      k: number;
    };
    const point = this.points.all[i];
    if (!point) return;
    if (d) this.witness.passed({ point, data: d, at: t, skipped: k });
    else this.witness.skipped(point, k);
  }

  #note(point: Point, state: "set" | "waiting" | "refused", sentence: string): void {
    if (state === "refused") this.#refused.add(point);
    this.witness.noted({ point, state, sentence });
  }
}

/** The name of a file without its folders and endings. */
function stemOf(path: string): string {
  return (
    path
      .split(/[?#]/, 1)[0]
      ?.split("/")
      .at(-1)
      ?.replace(/(?:\.\w{1,5})+$/, "") ?? ""
  );
}

function plain({ line }: Point): Position {
  return { line: line - 1, column: 0 };
}
