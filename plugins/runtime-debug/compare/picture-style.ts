/** Colours and letters of the picture, for light and dark surroundings; the two runs differ for colour-blind eyes too. */
export const STYLE = `
svg{--page:#fff;--ink:#1f2328;--soft:#59636e;--line:#d1d9e0;--before:#c2620a;--after:#0f6cbd;--band:#f6f8fa}
@media (prefers-color-scheme:dark){svg{--page:#0d1117;--ink:#e6edf3;--soft:#9198a1;--line:#3d444d;--before:#f0a04b;--after:#58a6ff;--band:#151b23}}
text{font-family:system-ui,-apple-system,"Segoe UI","Noto Sans","DejaVu Sans",sans-serif;font-size:13px;fill:var(--ink)}
.page{fill:var(--page)}.band{fill:var(--band)}
.title{font-size:18px;font-weight:600}.strong{font-weight:600}
.soft{fill:var(--soft);font-size:12px}
.code{font-family:ui-monospace,"SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:12px}
.end{text-anchor:end}
.before{fill:var(--before)}.after{fill:var(--after)}
.axis{stroke:var(--line);stroke-width:1}.none{stroke:var(--soft);stroke-width:1;stroke-dasharray:2 4}
`;
