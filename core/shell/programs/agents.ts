import { follow } from "./follow.ts";
import type { Table } from "./table.ts";

/** Programs that let others act: agents, editors with extensions, desktops, terminals, schedulers. */
export const AGENTS: Table = {
  "claude codex gemini aider opencode cursor cursor-agent copilot goose cline crush amp qwen llm sgpt interpreter droid auggie kiro":
    "!c v",
  "code code-insiders codium windsurf zed subl atom idea webstorm pycharm": "!n v",
  "tmux screen dtach zellij": (scene) => {
    const { operands } = follow("v | + L: S:r f:x", scene);
    if (
      !/^(?:ls|list-sessions|list-windows|list-panes|capture-pane|display-message|attach|attach-session|a|kill-session|kill-server)$/.test(
        operands[0]?.text ?? "?",
      )
    )
      scene.unknown("code");
  },
  "pm2 supervisorctl forever": (scene) => {
    const [verb, file] = follow("v | + n: name: i: o:w output:w e:w error:w l:w log:w", scene).operands;
    if (/^(?:start|restart|reload)$/.test(verb?.text ?? "") && /\.[cm]?[jt]s$/.test(file?.text ?? ""))
      scene.script(file ?? { text: undefined });
    else if (
      !/^(?:ls|list|status|logs|log|stop|delete|restart|reload|show|describe|info|monit|jlist|flush|kill)$/.test(
        verb?.text ?? "?",
      )
    )
      scene.unknown("code");
  },
  "lldb rr pdb ndb dtrace bpftrace": "!c v",
  skillctl: "v",
};
