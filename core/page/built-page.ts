import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

/** A page as it is sent, with a content security policy that allows only its own script and style. */
export interface PageText {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Bundles `main.ts`, `page.css` and `page.html` of a folder and the shared style into one file. Runs in the build. */
export function builtPage(folder: URL): PageText {
  const { outputFiles } = buildSync({
    absWorkingDir: fileURLToPath(folder),
    entryPoints: {
      script: "main.ts",
      shared: fileURLToPath(new URL("client/base.css", import.meta.url)),
      own: "page.css",
      page: "page.html",
    },
    loader: { ".html": "copy" },
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    outdir: "out",
    write: false,
  });
  const named = (name: string): string => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? "";
  const script = named("script.js").trim();
  const style = named("shared.css").trim() + named("own.css").trim();
  const html = named("page.html")
    .replace("<style></style>", () => `<style>${style}</style>`)
    .replace("<script></script>", () => `<script>${script}</script>`);
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
  };
  return { html, headers };
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
