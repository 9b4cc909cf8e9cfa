import type { Files } from "skillctl";
import type { InspectorSession, Message } from "./inspector.ts";
import type { Point, Witness } from "./point.ts";
import {
  generated,
  mapOf,
  mayServe,
  pathOf,
  scriptOf,
  urlOf,
  type Position,
  type Script,
} from "./scripts.ts";

/** A place in the code of a debuggee, and what is told there. */
interface Site {
  readonly url: string;
  readonly at: Position;
  readonly points: Point[];
  /** As the debuggee calls it; missing while there is none. */
  breakpoint?: string;
}

/** Begins the names under which observers are told, in every program. */
export const OBSERVER = "__skillctl_";
/** So long a paused program waits for another observer, in milliseconds. */
const OTHERS_MS = 250;

/**
 * The points of one debuggee: a breakpoint each, whose condition tells the values and never holds, so that the program
 * does not stop. Only the first pass stops it, for as long as it takes to evaluate the values once where the engine
 * throws at whatever would change something.
 */
export class Debuggee {
  readonly #sites: Site[] = [];
  readonly #checked = new Set<Point>();
  readonly #refused = new Set<Point>();
  /** Scripts under way to their places; the program waits for those that have source maps. */
  #placing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: InspectorSession,
    private readonly points: readonly Point[],
    private readonly files: Files,
    private readonly witness: Witness,
    /** The name under which the program tells. */
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
      const { lineNumber } = location as { readonly lineNumber: number };
      if (site) this.#placing = this.#placing.then(() => this.#resolved(site, lineNumber));
    });
    session.on("Debugger.paused", (params) => {
      // Whatever fails: the program goes on.
      const looked = this.#paused(params).catch(() => undefined);
      const agreed = looked.then(() => this.#agreed(params)).catch(() => true);
      void agreed
        .then((isLast) => (isLast ? session.call("Debugger.resume") : undefined))
        .catch(() => undefined);
    });
    await session.call("Runtime.enable");
    await session.call("Runtime.addBinding", { name: this.name });
    await session.call("Debugger.enable");
    const kind = "beforeScriptWithSourceMapExecution";
    await session.call("Debugger.setInstrumentationBreakpoint", { instrumentation: kind });
    this.#placing = this.#placing.then(() => this.#await());
    await this.#placing;
  }

  /** Points whose file is not loaded yet: it will be under its own address, or named by a source map. */
  async #await(): Promise<void> {
    for (const point of this.points) {
      const isKnown = this.#refused.has(point) || this.#sites.some(({ points }) => points.includes(point));
      if (!isKnown) await this.#add(point, urlOf(point.file), plain(point));
    }
  }

  /** Takes everything out of the debuggee again. */
  async leave(): Promise<void> {
    await this.session.call("Debugger.disable");
    await this.session.call("Runtime.removeBinding", { name: this.name });
    await this.session.call("Runtime.evaluate", {
      expression: `delete globalThis[${JSON.stringify(this.name)}]`,
    });
  }

  #place(script: Script): void {
    if (script.url === "" || script.url.startsWith("node:")) return;
    this.#placing = this.#placing.then(() => this.#placeIn(script)).catch(() => undefined);
  }

  async #placeIn(script: Script): Promise<void> {
    const mapped = script.mapUrl === "" ? undefined : await mapOf(script, this.files);
    for (const point of this.points) {
      if (this.#refused.has(point)) continue;
      const at = mapped && generated(mapped, point.file, point.path, point.line);
      if (at === "elsewhere") {
        this.#note(point, "refused", `No statement begins at ${placeOf(point)} in ${script.url}.`);
      } else if (at) {
        if (script.url === urlOf(point.file)) await this.#remove(point);
        await this.#add(point, script.url, at);
      } else if (pathOf(script.url) === point.file || mayServe(script.url, point.path)) {
        if (await this.#isSame(script, point)) await this.#add(point, script.url, plain(point));
      }
    }
  }

  /** Whether the program runs the line that stands on the disk. */
  async #isSame(script: Script, point: Point): Promise<boolean> {
    const { scriptSource } = await this.session.call("Debugger.getScriptSource", { scriptId: script.id });
    const running = lineIn(String(scriptSource), point.line);
    const written = lineIn((await this.files.readText(point.file)) ?? "", point.line);
    if (running === written) return true;
    if (pathOf(script.url) !== point.file) return false;
    await this.#remove(point);
    const what = `The program runs another text of ${point.path}: its line ${point.line} is \`${running.trim()}\`.`;
    this.#note(point, "refused", what);
    return false;
  }

  async #add(point: Point, url: string, at: Position): Promise<void> {
    let site = this.#sites.find(
      (one) => one.url === url && one.at.line === at.line && one.at.column === at.column,
    );
    if (!site) this.#sites.push((site = { url, at, points: [] }));
    if (site.points.includes(point)) return;
    site.points.push(point);
    await this.#arm(site);
  }

  async #remove(point: Point): Promise<void> {
    for (const site of this.#sites) {
      const index = site.points.indexOf(point);
      if (index === -1) continue;
      site.points.splice(index, 1);
      await this.#arm(site);
    }
  }

  /** One breakpoint a site: without a condition until all its expressions have been seen to change nothing. */
  async #arm(site: Site): Promise<void> {
    if (site.breakpoint !== undefined)
      await this.session.call("Debugger.removeBreakpoint", { breakpointId: site.breakpoint });
    delete site.breakpoint;
    if (site.points.length === 0) return;
    const isChecked = site.points.every((point) => this.#checked.has(point));
    const { breakpointId, locations } = await this.session.call("Debugger.setBreakpointByUrl", {
      url: site.url,
      lineNumber: site.at.line,
      columnNumber: site.at.column,
      ...(isChecked && { condition: `${telling(site.points, this.points, this.name)},false` }),
    });
    site.breakpoint = String(breakpointId);
    const [first] = locations as readonly { readonly lineNumber: number }[];
    if (first) return this.#resolved(site, first.lineNumber);
    for (const point of site.points)
      this.#note(point, "waiting", `${placeOf(point)} waits: no code of it is loaded yet.`);
  }

  /** The engine goes on to the next statement where none begins. */
  async #resolved(site: Site, line: number): Promise<void> {
    for (const point of site.points.slice()) {
      if (line === site.at.line) this.#note(point, "set", `${placeOf(point)} is observed.`);
      else {
        await this.#remove(point);
        this.#note(point, "refused", `No statement begins at ${placeOf(point)}.`);
      }
    }
  }

  async #paused({ reason, hitBreakpoints = [], callFrames }: Message): Promise<void> {
    if (reason === "instrumentation") await this.#placing;
    const hit = hitBreakpoints as readonly string[];
    const [frame] = callFrames as readonly { readonly callFrameId: string }[];
    for (const site of this.#sites.filter(({ breakpoint = "" }) => hit.includes(breakpoint))) {
      for (const point of site.points.slice()) if (frame) await this.#check(point, frame.callFrameId);
      // This pass counts too.
      if (frame && site.points.length > 0) {
        const expression = telling(site.points, this.points, this.name);
        await this.session.call("Debugger.evaluateOnCallFrame", {
          callFrameId: frame.callFrameId,
          expression,
          silent: true,
        });
      }
      await this.#arm(site);
    }
  }

  /** Whether this observer lets the program go on: of several the last one that is done does; none waits long for one that was killed. */
  async #agreed({ callFrames }: Message): Promise<boolean> {
    let isOver = false;
    const resumed = new Promise<void>((resolve) => {
      this.session.on("Debugger.resumed", () => {
        isOver = true;
        resolve();
      });
    });
    const [frame] = callFrames as readonly { readonly callFrameId: string }[];
    for (const isLate of [false, true]) {
      const expression = done(this.name, isLate);
      const { result } = await this.session.call("Debugger.evaluateOnCallFrame", {
        callFrameId: frame?.callFrameId,
        expression,
        silent: true,
      });
      if ((result as { readonly value?: unknown }).value !== false) return true;
      await Promise.race([resumed, new Promise((resolve) => setTimeout(resolve, OTHERS_MS))]);
      if (isOver) return false;
    }
    return true;
  }

  /** Evaluates each expression of a point where the engine throws before it changes anything. */
  async #check(point: Point, callFrameId: string): Promise<void> {
    if (this.#checked.has(point)) return;
    const all = [
      ...point.data,
      ...(point.when === undefined ? [] : [{ name: "--when", expression: point.when }]),
    ];
    for (const { name, expression } of all) {
      const { exceptionDetails } = await this.session.call("Debugger.evaluateOnCallFrame", {
        callFrameId,
        expression: `JSON.stringify((${expression}))`,
        throwOnSideEffect: true,
        silent: true,
      });
      const thrown = exceptionDetails as
        | { readonly exception?: { readonly description?: string } }
        | undefined;
      if (!/Possible side-effect/.test(thrown?.exception?.description ?? "") || point.allowCall) continue;
      await this.#remove(point);
      this.#note(
        point,
        "refused",
        `${name} of ${point.path}:${point.line} may change something: ${expression}.`,
      );
      return;
    }
    this.#checked.add(point);
  }

  #told(payload: string): void {
    const { i, d, t, k } = JSON.parse(payload) as {
      i: number;
      d: Record<string, unknown>;
      t: number;
      k: number;
    };
    const point = this.points[i];
    if (point) this.witness.passed({ point, data: d, at: t, skipped: k });
  }

  #note(point: Point, state: "set" | "waiting" | "refused", sentence: string): void {
    if (state === "refused") this.#refused.add(point);
    this.witness.noted({ point, state, sentence });
  }
}

/**
 * An expression that says that an observer is done with a pause, and whether all of the program are. Those that are waited for in vain are not
 * waited for again before they say something.
 */
function done(name: string, isLate: boolean): string {
  return `((n,late)=>{let g=globalThis,all=Object.keys(g).filter(k=>k.startsWith(${JSON.stringify(OBSERVER)})).map(k=>g[k]);g[n].p=1;if(late)for(let f of all)f.p||=2;if(!all.every(f=>f.p))return false;for(let f of all)if(f.p<2)f.p=0;return true})(${JSON.stringify(name)},${isLate})`;
}

function placeOf({ path, line }: Point): string {
  return `${path}:${line}`;
}

function plain({ line }: Point): Position {
  return { line: line - 1, column: 0 };
}

function lineIn(text: string, line: number): string {
  return text.replace(/^\ufeff/, "").split(/\r?\n/)[line - 1] ?? "";
}

/**
 * An expression that tells the values of some points, each within its limits, and has none itself. Values are given as functions, so that no name
 * in it hides one of the program; what JSON cannot hold becomes its text, as in a probe.
 */
function telling(points: readonly Point[], all: readonly Point[], name: string): string {
  const rows = points.map((point) => {
    const data = point.data.map((field) => `${JSON.stringify(field.name)}:()=>(${field.expression})`);
    const when = point.when === undefined ? "0" : `()=>(${point.when})`;
    return `[${all.indexOf(point)},${point.perSecond},${point.most},${when},{${data.join(",")}}]`;
  });
  return `((f,q)=>{if(f)for(let[i,m,x,w,d]of q)try{if(w&&!w())continue;let t=Date.now(),s=(f.s??={})[i]??={t:0,n:0,a:0,k:0};if(t-s.t>999||t<s.t)s.t=t,s.n=0;if(s.n>=m||s.a>=x){s.k++;continue}s.n++;s.a++;for(let k in d)try{d[k]=JSON.parse(JSON.stringify(d[k](),(_,v)=>v instanceof Error||!/ob|st/.test(typeof v)&&v-v!==0?v+"":v))}catch(e){d[k]="! "+e}f(JSON.stringify({i,d,t,k:s.k}));s.k=0}catch{}})(globalThis[${JSON.stringify(name)}],[${rows.join(",")}])`;
}
