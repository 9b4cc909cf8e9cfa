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
    language: "perl",
    file: "a.pl",
    end: "+",
    text: `-#!/usr/bin/perl
-use strict;
+sub f {
+  my ($x) = @_;
+  if ($x) {
+    return 1;
-  }
-  elsif (1) {
+    print 2;
-  }
+  my @y = (
-    1,
-  );
+  return $x
-    + 1;
-}
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
    language: "dart",
    file: "a.dart",
    end: "-",
    text: `-import 'dart:io';
-class A {
-  int f(int x) {
+    final y = x
-        + 1;
+    return y;
-  }
-}
`,
  },
  {
    language: "swift",
    file: "a.swift",
    end: "+",
    text: `-import Foundation
+struct A {
-  let x = 1
-  func f() -> Int {
+    let y = x
-      + 1
+    return y
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
  {
    language: "vue",
    file: "a.vue",
    end: "-",
    text: `-<template>
-  <p>{{ a }}</p>
-</template>
-<script setup lang="ts">
-import { b } from "b";
+const a: number = b;
+a.toFixed();
-</script>
`,
  },
  {
    language: "powershell",
    file: "a.ps1",
    end: "+",
    text: `+$x = 1
+function F($a) {
+  if ($a) {
+    return 1
-  }
-  else {
+    $x = @(
-      1
-    )
+  }
+}
`,
  },
];
