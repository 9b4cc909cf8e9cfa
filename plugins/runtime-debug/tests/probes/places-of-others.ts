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
