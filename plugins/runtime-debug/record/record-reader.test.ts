import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readRecordText, type ReadRecord } from "./record-reader.ts";
import { recordText } from "./record-text.ts";

/** Shapes of public records, cut down; each with what has to be read of it. */
const SHAPES: readonly (readonly [name: string, text: string, read: ReadRecord])[] = [
  [
    "the full template",
    "# Debug Session: login-times-out\n- **Status**: [OPEN]\n- **Issue**: The login times out\n- **Debug Server**: http://127.0.0.1:7777/event\n\n## Hypotheses & Verification\n| ID | Hypothesis | Likelihood | Effort | Evidence |\n|----|---|---|---|---|\n| A | The pool is empty | High | Low | Pending |\n| B | The token expired | Low | Low | Rejected |\n",
    {
      status: "OPEN",
      title: "login-times-out",
      issue: "The login times out",
      hypotheses: [
        { id: "A", text: "The pool is empty" },
        { id: "B", text: "The token expired" },
      ],
    },
  ],
  [
    "a status in the title",
    "# [OPEN] Cart loses items\n\n## Hypotheses\n- **A**: the cache is stale\n- **B:** two writers\n",
    {
      status: "OPEN",
      title: "Cart loses items",
      hypotheses: [
        { id: "A", text: "the cache is stale" },
        { id: "B", text: "two writers" },
      ],
    },
  ],
  [
    "a status without brackets, and hypotheses as headings",
    "# Debug: image is blank\n\nStatus: RESOLVED (2026-03-09)\nProblem: blank image\n\n### H1: wrong size\ntext\n### Hypothesis H2 - wrong format\n",
    {
      status: "RESOLVED",
      title: "image is blank",
      issue: "blank image",
      hypotheses: [
        { id: "H1", text: "wrong size" },
        { id: "H2", text: "wrong format" },
      ],
    },
  ],
  [
    "bold with the colon inside, closed with a date",
    "# Debug Session - md-render-crash-20260309\n\n**Status:** [CLOSED] 2026-03-10\n**Issue:** crash\n",
    { status: "CLOSED", title: "md-render-crash-20260309", issue: "crash", hypotheses: [] },
  ],
  [
    "Chinese headings",
    "# 调试会话：登录超时\n\n- **状态**: [OPEN]\n- **问题**: 登录超时\n\n## 假设\n1. 假设 A：连接池为空\n2. 假设 B：令牌过期\n",
    {
      status: "OPEN",
      title: "登录超时",
      issue: "登录超时",
      hypotheses: [
        { id: "A", text: "连接池为空" },
        { id: "B", text: "令牌过期" },
      ],
    },
  ],
  [
    "Portuguese headings",
    "# Sessão de debug: login lento\n- **Estado**: `[FIXED]`\n- **Problema**: login lento\n\n- Hipótese A: pool vazio\n",
    {
      status: "FIXED",
      title: "login lento",
      issue: "login lento",
      hypotheses: [{ id: "A", text: "pool vazio" }],
    },
  ],
  [
    "a table row as status, Windows line ends",
    "# Timeout\r\n\r\n| **Status** | [OPEN] |\r\n|---|---|\r\n| **Issue** | slow |\r\n",
    { status: "OPEN", title: "Timeout", issue: "slow", hypotheses: [] },
  ],
  ["a page without anything of it", "nothing here\n", { hypotheses: [] }],
  ["an empty file", "", { hypotheses: [] }],
];

describe("records as people write them are read", () => {
  for (const [name, text, read] of SHAPES) {
    test(name, () => {
      assert.deepEqual(readRecordText(text), read);
    });
  }

  test("what tools write", () => {
    const hypothesis = {
      refutedBy: "C: none",
      observe: "pool.ts:10",
      likelihood: "high",
      effort: "low",
      verdict: "pending",
      lines: [],
    } as const;
    const text = recordText({
      session: "login-times-out",
      status: "ABORTED",
      issue: "The login times out",
      logFile: ".dbg/x.ndjson",
      steps: ["Open it"],
      hypotheses: [{ id: "A", text: "The pool is empty", ...hypothesis }],
      evidence: [],
      conclusion: "",
      iterations: [],
    });
    assert.deepEqual(readRecordText(text), {
      status: "ABORTED",
      title: "login-times-out",
      issue: "The login times out",
      hypotheses: [{ id: "A", text: "The pool is empty" }],
    });
  });
});
