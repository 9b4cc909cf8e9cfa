import type { Language } from "../probes/languages.ts";

/** A small program, where a probe goes, and a fix elsewhere in it. */
export interface FixtureProgram {
  readonly path: string;
  readonly text: string;
  /** In front of which line, from 1, a region is put. */
  readonly line: number;
  /** The same of what stands once at the top of a file. Default 1. */
  readonly headLine?: number;
  /** How a comment of a line begins. */
  readonly comment: string;
  /** A report as people write it. */
  readonly call: string;
  /** What is replaced by what. */
  readonly fix: readonly [string, string];
}

function lines(...text: readonly string[]): string {
  return text.map((line) => `${line}\n`).join("");
}

const URL = "http://127.0.0.1:7777/event";
const FETCH = `fetch("${URL}", { method: "POST", body: "{}" }).catch(() => {});`;
const CURL = `curl -s -m 1 -d '{}' ${URL} >/dev/null 2>&1 &`;
const SLASHES = { comment: "//" } as const;
const HASH = { comment: "#" } as const;
const SCRIPT = { line: 2, ...SLASHES, call: FETCH, fix: ["items.length - 1", "items.length"] } as const;

/** One for each language; all hold a fault that a fix takes out. */
export const PROGRAMS: Readonly<Record<Language, FixtureProgram>> = {
  javascript: {
    path: "total.js",
    text: lines("export function count(items) {", "  return items.length - 1;", "}"),
    ...SCRIPT,
  },
  jsx: {
    path: "Count.jsx",
    text: lines("export function Count({ items }) {", "  return <p>{items.length - 1}</p>;", "}"),
    ...SCRIPT,
  },
  typescript: {
    path: "total.ts",
    text: lines("export function count(items: string[]): number {", "  return items.length - 1;", "}"),
    ...SCRIPT,
  },
  tsx: {
    path: "Count.tsx",
    text: lines(
      "export function Count({ items }: { items: string[] }) {",
      "  return <p>{items.length - 1}</p>;",
      "}",
    ),
    ...SCRIPT,
  },
  vue: {
    path: "Count.vue",
    text: lines(
      "<script setup>",
      "const count = items.length - 1;",
      "</script>",
      "<template>",
      "  <p>{{ count }}</p>",
      "</template>",
    ),
    ...SCRIPT,
  },
  svelte: {
    path: "Count.svelte",
    text: lines("<script>", "const count = items.length - 1;", "</script>", "<p>{count}</p>"),
    ...SCRIPT,
  },
  html: {
    path: "page.html",
    text: lines("<!doctype html>", "<body>", "  <p>One</p>", "  <p>Tow</p>", "</body>"),
    line: 3,
    comment: "<!--",
    call: `<script>${FETCH}</script>`,
    fix: ["Tow", "Two"],
  },
  python: {
    path: "total.py",
    text: lines("def total(items):", "    rest = items[1:]", "    return sum(rest)"),
    line: 3,
    ...HASH,
    call: `urllib.request.urlopen("${URL}")`,
    fix: ["items[1:]", "items"],
  },
  go: {
    path: "total.go",
    text: lines("package main", "", "func total(a, b int) int {", "\tsum := a - b", "\treturn sum", "}"),
    line: 5,
    headLine: 2,
    ...SLASHES,
    call: `go http.Post("${URL}", "text/plain", nil)`,
    fix: ["a - b", "a + b"],
  },
  rust: {
    path: "total.rs",
    text: lines("fn total(a: u32, b: u32) -> u32 {", "    let sum = a - b;", "    sum", "}"),
    line: 3,
    ...SLASHES,
    call: 'let _ = std::net::TcpStream::connect("127.0.0.1:7777");',
    fix: ["a - b", "a + b"],
  },
  java: {
    path: "Total.java",
    text: lines(
      "class Total {",
      "  int total(int a, int b) {",
      "    int sum = a - b;",
      "    return sum;",
      "  }",
      "}",
    ),
    line: 4,
    ...SLASHES,
    call: `new java.net.URL("${URL}").openStream();`,
    fix: ["a - b", "a + b"],
  },
  kotlin: {
    path: "Total.kt",
    text: lines("fun total(a: Int, b: Int): Int {", "    val sum = a - b", "    return sum", "}"),
    line: 3,
    ...SLASHES,
    call: `java.net.URL("${URL}").readText()`,
    fix: ["a - b", "a + b"],
  },
  swift: {
    path: "Total.swift",
    text: lines("func total(_ a: Int, _ b: Int) -> Int {", "    let sum = a - b", "    return sum", "}"),
    line: 3,
    ...SLASHES,
    call: `URLSession.shared.dataTask(with: URL(string: "${URL}")!).resume()`,
    fix: ["a - b", "a + b"],
  },
  c: {
    path: "total.c",
    text: lines("int total(int a, int b) {", "  int sum = a - b;", "  return sum;", "}"),
    line: 3,
    ...SLASHES,
    call: `system("curl -s -d {} ${URL} &");`,
    fix: ["a - b", "a + b"],
  },
  cpp: {
    path: "total.cpp",
    text: lines("int total(int a, int b) {", "  int sum = a - b;", "  return sum;", "}"),
    line: 3,
    ...SLASHES,
    call: `std::system("curl -s -d {} ${URL} &");`,
    fix: ["a - b", "a + b"],
  },
  csharp: {
    path: "Total.cs",
    text: lines(
      "class Total {",
      "  int Sum(int a, int b) {",
      "    var sum = a - b;",
      "    return sum;",
      "  }",
      "}",
    ),
    line: 4,
    ...SLASHES,
    call: `_ = new HttpClient().PostAsync("${URL}", null);`,
    fix: ["a - b", "a + b"],
  },
  php: {
    path: "total.php",
    text: lines("<?php", "function total($a, $b) {", "    $sum = $a - $b;", "    return $sum;", "}"),
    line: 4,
    ...SLASHES,
    call: `@file_get_contents("${URL}");`,
    fix: ["$a - $b", "$a + $b"],
  },
  ruby: {
    path: "total.rb",
    text: lines("def total(a, b)", "  sum = a - b", "  sum", "end"),
    line: 3,
    ...HASH,
    call: `Net::HTTP.post(URI("${URL}"), "{}")`,
    fix: ["a - b", "a + b"],
  },
  lua: {
    path: "total.lua",
    text: lines("local function total(a, b)", "  local sum = a - b", "  return sum", "end"),
    line: 3,
    comment: "--",
    call: `pcall(http.request, "${URL}", "{}")`,
    fix: ["a - b", "a + b"],
  },
  dart: {
    path: "total.dart",
    text: lines("int total(int a, int b) {", "  final sum = a - b;", "  return sum;", "}"),
    line: 3,
    ...SLASHES,
    call: `http.post(Uri.parse("${URL}"));`,
    fix: ["a - b", "a + b"],
  },
  perl: {
    path: "total.pl",
    text: lines("sub total {", "  my ($x, $y) = @_;", "  return $x - $y;", "}"),
    line: 3,
    ...HASH,
    call: `system("curl -s -d {} ${URL} &");`,
    fix: ["$x - $y", "$x + $y"],
  },
  shell: {
    path: "total.sh",
    text: lines("total() {", "  sum=$(( $1 - $2 ))", '  echo "$sum"', "}"),
    line: 3,
    ...HASH,
    call: CURL,
    fix: ["$1 - $2", "$1 + $2"],
  },
  powershell: {
    path: "Total.ps1",
    text: lines("function Total($a, $b) {", "  $sum = $a - $b", "  return $sum", "}"),
    line: 3,
    ...HASH,
    call: `Invoke-RestMethod -Uri ${URL} -Method Post | Out-Null`,
    fix: ["$a - $b", "$a + $b"],
  },
  sql: {
    path: "total.sql",
    text: lines("SELECT a - b AS total", "FROM cart;", "SELECT 1;"),
    line: 3,
    comment: "--",
    call: `\\! curl -s -d {} ${URL}`,
    fix: ["a - b", "a + b"],
  },
};
