import type { Template } from "../template.ts";

const BODY = [
  String.raw`try { $debugV = [ordered]@{}; foreach ($debugK in $debugD.Keys) { try { $debugX = & $debugD[$debugK]; if ($debugX -is [double] -and ([double]::IsNaN($debugX) -or [double]::IsInfinity($debugX))) { $debugX = "$debugX" }; $debugV[$debugK] = $debugX } catch { $debugV[$debugK] = "! $_" } };`,
  String.raw`if ($env:DEBUG_SESSION_ID) { $debugS = $env:DEBUG_SESSION_ID }; $debugA = $env:DEBUG_SERVER_URL; $debugW = (Get-Location -PSProvider FileSystem).ProviderPath; while (-not $debugA -and $debugW) { $debugF = [IO.Path]::Combine($debugW, ".dbg", "$debugS.env"); if ([IO.File]::Exists($debugF)) { foreach ($debugT in [IO.File]::ReadAllLines($debugF)) { if ($debugT.StartsWith("DEBUG_SERVER_URL=")) { $debugA = $debugT.Substring(17).Trim() } } }; $debugW = [IO.Path]::GetDirectoryName($debugW) }; if (-not $debugA) { $debugA = $debugU };`,
  String.raw`$debugB = ConvertTo-Json -Compress -Depth 4 -WarningAction SilentlyContinue -InputObject ([ordered]@{ sessionId = $debugS; hypothesisId = $debugH; location = $debugL; msg = "[DEBUG] $debugP"; data = $debugV; ts = [DateTimeOffset]::UtcNow.ToUnixTimeMilliseconds() }); $debugR = [Net.WebRequest]::Create($debugA); $debugR.Method = "POST"; $debugR.Proxy = $null; $debugR.Timeout = 1000; $debugY = [Text.Encoding]::UTF8.GetBytes($debugB); $debugR.ContentLength = $debugY.Length; $debugZ = $debugR.GetRequestStream(); $debugZ.Write($debugY, 0, $debugY.Length); $debugZ.Close(); $debugR.GetResponse().Close() } catch { }`,
].join(" ");

/** Needs PowerShell 5. The program waits for the answer, at most 1 s. */
export const POWERSHELL: Template = {
  mark: (text) => text,
  line: `$null = & { param($debugH, $debugP, $debugL, $debugS, $debugU, $debugD) ${BODY} } "@H@" "@P@" "@L@" "@S@" "@U@" ([ordered]@{@D@})`,
  field: '"@N@" = { (@X@) }',
  between: "; ",
  expressions: {
    refused: [
      [/#|@""/, "it holds a comment, or a string that can hold anything"],
      [/\||&/, "it can call something"],
    ],
    refusedInStrings: /\$\(|`/,
  },
};
