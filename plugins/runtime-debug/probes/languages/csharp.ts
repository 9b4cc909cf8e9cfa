import type { Template } from "../template.ts";

const BODY = [
  String.raw`System.Func<object, string> debug_j_ = debug_v_ => { if (debug_v_ == null) return "null"; if (debug_v_ is bool) return (bool)debug_v_ ? "true" : "false"; var debug_t_ = debug_v_ is System.IFormattable ? ((System.IFormattable)debug_v_).ToString(null, System.Globalization.CultureInfo.InvariantCulture) : debug_v_.ToString() ?? ""; if (debug_v_ is sbyte || debug_v_ is byte || debug_v_ is short || debug_v_ is ushort || debug_v_ is int || debug_v_ is uint || debug_v_ is long || debug_v_ is ulong || debug_v_ is decimal) return debug_t_; var debug_b_ = new System.Text.StringBuilder("\""); foreach (var debug_c_ in debug_t_.Length > 5000 ? debug_t_.Substring(0, 5000) : debug_t_) { if (debug_c_ < 32 || debug_c_ > 126 || debug_c_ == '"' || debug_c_ == '\\') debug_b_.Append("\\u").Append(((int)debug_c_).ToString("x4")); else debug_b_.Append(debug_c_); } return debug_b_.Append('"').ToString(); };`,
  String.raw`var debug_s_ = System.Environment.GetEnvironmentVariable("DEBUG_SESSION_ID") ?? "@S@"; var debug_u_ = System.Environment.GetEnvironmentVariable("DEBUG_SERVER_URL"); for (var debug_w_ = new System.IO.DirectoryInfo(System.IO.Directory.GetCurrentDirectory()); debug_u_ == null && debug_w_ != null; debug_w_ = debug_w_.Parent) { var debug_f_ = System.IO.Path.Combine(debug_w_.FullName, ".dbg", debug_s_ + ".env"); if (System.IO.File.Exists(debug_f_)) foreach (var debug_l_ in System.IO.File.ReadAllLines(debug_f_)) if (debug_l_.StartsWith("DEBUG_SERVER_URL=")) debug_u_ = debug_l_.Substring(17).Trim(); }`,
  String.raw`var debug_y_ = new System.Text.StringBuilder(); foreach (var debug_p_ in debug_d_) debug_y_.Append(debug_y_.Length == 0 ? "" : ",").Append(debug_j_(debug_p_.Key)).Append(":").Append(debug_j_(debug_p_.Value)); var debug_z_ = "{\"sessionId\":" + debug_j_(debug_s_) + ",\"hypothesisId\":\"@H@\",\"location\":\"@L@\",\"msg\":\"[DEBUG] @P@\",\"data\":{" + debug_y_ + "},\"ts\":" + System.DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() + "}";`,
  String.raw`System.Threading.Tasks.Task.Run(async () => { try { using (var debug_h_ = new System.Net.Http.HttpClient(new System.Net.Http.HttpClientHandler { UseProxy = false }) { Timeout = System.TimeSpan.FromSeconds(1) }) await debug_h_.PostAsync(debug_u_ ?? "@U@", new System.Net.Http.StringContent(debug_z_)); } catch { } }).Wait(1000);`,
].join(" ");

/** Needs C# 6. The program waits for the answer, at most 1 s. */
export const CSHARP: Template = {
  mark: (text) => text,
  line: `{ var debug_d_ = new System.Collections.Generic.Dictionary<string, object>(); @D@try { ${BODY} } catch { } }`,
  field:
    'try { debug_d_["@N@"] = (@X@); } catch (System.Exception debug_e_) { debug_d_["@N@"] = "! " + debug_e_.GetType().Name + ": " + debug_e_.Message; } ',
  between: "",
  expressions: {
    refused: [
      [/[@$]""/, "strings of that kind can hold anything"],
      [/#/, "it holds a directive"],
      [/\b(?:await|throw|new|out|ref)\b/, "it changes something or waits"],
    ],
  },
};
