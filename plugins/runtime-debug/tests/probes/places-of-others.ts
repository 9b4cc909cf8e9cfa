import type { Places } from "./places.ts";

/** The others: with words for brackets, without a grammar, and pages. */
export const ELSEWHERE: readonly Places[] = [
  {
    language: "ruby",
    file: "a.rb",
    end: "+",
    text: `+require "set"
+class A
+  def f(x)
+    y = x
-      .to_s
+    if y
+      1
-    elsif x
+      2
-    else
+      3
-    end
-  end
-end
`,
  },
  {
    language: "shell",
    file: "a.sh",
    end: "+",
    text: `-#!/bin/sh
+set -e
+f() {
+  if [ "$1" ]; then
+    echo 1
-  else
+    echo 2
+  fi
+  for x in a b; do
+    echo "$x"
+  done
+  cat <<END
-text
-END
+  echo a |
-    cat
+  echo 'a
-b'
+}
`,
  },
  {
    language: "lua",
    file: "a.lua",
    end: "+",
    text: `+local function f(x)
+  if x then
+    return 1
-  else
+    g()
+  end
+  for i = 1, 3 do
+    g()
+  end
+  local t = {
-    1,
-  }
+  local s = [[
-text
-]]
+  return x
-end
`,
  },
  {
    language: "kotlin",
    file: "a.kt",
    end: "-",
    text: `-package a
-import b.c
-class A {
-  val x = 1
-  fun f(y: Int): Int {
+    val z = listOf(y)
-      .map { it }
+    if (y > 1) {
+      g()
-    }
-    else {
+      return 1
-    }
+    return z.size
-  }
-}
`,
  },
  {
    language: "html",
    file: "a.html",
    end: "-",
    text: `-<!doctype html>
-<html>
-<head>
-<title>A</title>
-</head>
-<body>
+<p>one</p>
+<p>
-text
-</p>
+<script>
+  const a = 1;
+  b(
-    a,
-  );
-</script>
-<!--
-<p></p>
--->
+<p>two</p>
-</body>
-</html>
`,
  },
];
