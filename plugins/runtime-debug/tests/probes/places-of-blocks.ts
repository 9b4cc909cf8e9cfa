import type { Places } from "./places.ts";

/** Languages with a grammar whose blocks have curly brackets, and Python. */
export const IN_BLOCKS: readonly Places[] = [
  {
    language: "javascript",
    file: "a.mjs",
    end: "+",
    text: `-/* of one line */
-/*
- * of several
- */
-"use strict";
-import a from "a";
-import b from "b";
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
-    return 1;
-  else
-    b();
+  const text = \`
- text
-\`;
+  f(
-    1,
-  );
+  for (const y of x) {
+    b(y)
+  }
+  switch (x) {
-    case 1:
+      b();
+      break;
-    default:
+      b();
+  }
+  // note
+  return [
-    1,
-  ];
-}
+class A {
-  x = 1;
-  m() {
+    return 1;
-  }
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
-import os
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
-	} else {
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
-}
`,
  },
  {
    language: "php",
    file: "a.php",
    end: "+",
    text: `-<?php
-declare(strict_types=1);
-namespace A;
-use B\\C;
+$x = 1;
+class A {
-  private $x;
-  function f() {
+    if ($this->x) {
+      return 1;
-    } else {
+      $y = <<<TEXT
-text
-TEXT;
+    }
+    return [
-      1,
-    ];
-  }
-}
`,
  },
];
