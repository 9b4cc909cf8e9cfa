import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

/** The page as it is sent, and the content security policy that lets its own script and style alone in. */
export interface PageText {
  readonly html: string;
  readonly policy: string;
}

/** Made of the files in client/. The build puts the result in the place of this module (scripts/build.ts). */
export function pageText(): PageText {
  const { outputFiles } = buildSync({
    absWorkingDir: fileURLToPath(new URL("client", import.meta.url)),
    entryPoints: ["main.ts", "page.css", "page.html"],
    loader: { ".html": "copy" },
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    outdir: "out",
    write: false,
  });
  const named = (ending: string): string => {
    const text = outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "";
    return ending === "html" ? text : text.trim();
  };
  const [script, style] = [named("js"), named("css")];
  const html = named("html")
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
  return { html, policy: policy.join("; ") };
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
