import type { Language } from "../../probes/languages.ts";

/**
 * Texts with the lines at which a probe can stand (`+`) and those at which it cannot (`-`), marked at their first
 * character (`?` where nothing is said); one line more than there are counts as the last letter of `end`.
 */
export interface Places {
  readonly language: Language;
  readonly file: string;
  readonly text: string;
  /** Whether one can stand after the last line. */
  readonly end: "+" | "-";
}

/** Languages with a grammar whose blocks have curly brackets, and Python. */
export const IN_BLOCKS: readonly Places[] = [
  {
    language: "javascript",
    file: "a.mjs",
    end: "+",
    text: `-#!/usr/bin/env node
-/* of one line */
-/*
- * of several
- */
-"use strict";
+import a from "a";
+import b from "b";
+const c = a
-  + b;
+const made =
-  /* pure */
-  make(c);
+const {
-  d,
-} = made;
+function f(x) {
-  "use strict";
+  if (x)
+    return 1;
-  else
+    b();
+  const text = \`
- text
-\`;
+  f(
-    1,
-  );
+  for (const y of x) {
+    b(y)
+  }
+  last.next = x;
+  next.next = last
+  exit.code = 1;
+  next();
+  switch (x) {
-    case 1:
+      b();
+      break;
+    default:
+      b();
+  }
+  // note
+  return [
-    1,
-  ];
+}
+class A {
-  x = 1;
-  m() {
+    return 1;
+  }
-}
+export default f;
`,
  },
  {
    language: "tsx",
    file: "a.tsx",
    end: "+",
    text: `+const View = (): unknown => {
+  const x: number = 1;
+  return (
-    <div>
-      {x}
-    </div>
-  );
+};
+interface A {
-  b: string;
-}
`,
  },
  {
    language: "python",
    file: "a.py",
    end: "+",
    text: `-"""Doc."""
-from __future__ import annotations
+import os
+x = 1
+@decorated
-def f(a,
-      b):
-    """Doc."""
+    if a:
+        return 1
-    elif b:
+        y = """
-text
-"""
-    else:
+        pass
+    try:
+        g()
-    except Exception:
+        raise
+    z = [
-        1,
-    ]
+    import json
+    return x
`,
  },
  {
    language: "go",
    file: "a.go",
    end: "-",
    text: `-package a
-
-import (
-	"fmt"
-)
-
-func f(x int) int {
+	if x > 1 {
+		return 1
+	} else {
+		x = 2
+	}
+	switch x {
-	case 1:
+		x = 3
+	}
+	fmt.Println(
-		x,
-	)
+	return x
+}
`,
  },
  {
    language: "php",
    file: "a.php",
    end: "+",
    text: `-<?php
-declare(strict_types=1);
-namespace A;
+use B\\C;
+$x = 1;
+class A {
-  private $x;
-  function f() {
+    if ($this->x) {
+      return 1;
+    } else {
+      $y = <<<TEXT
-text
-TEXT;
+    }
+    return [
-      1,
-    ];
+  }
-}
`,
  },
];

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
+end
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
+  else
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
    end: "+",
    text: `?<!doctype html>
?<html>
?<script>
+  const a = 1;
+  b(
-    a,
-  );
+</script>
?<script type="text/template">
?  <p></p>
?</script>
?</html>
`,
  },
];
