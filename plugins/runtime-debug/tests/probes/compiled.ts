import { LIMITED } from "./interpreted.ts";
import { LITERAL, TEXT, THROWN, type ProbedProgram } from "./program.ts";

/** The output of their compilers is run. */
const LOOPS = [
  [
    "java",
    ["javac", "java"],
    "Loop.java",
    ["javac", "Loop.java"],
    ["java", "-XX:TieredStopAtLevel=1", "Loop"],
    "class Loop {\n  public static void main(String[] words) {\n    for (int i = 0; i < 20; i++) {\n      @PROBE@\n    }\n  }\n}\n",
  ],
  [
    "rust",
    ["rustc"],
    "loop.rs",
    ["rustc", "--edition", "2021", "loop.rs"],
    ["./loop"],
    "fn main() {\n    for i in 0..20 {\n        @PROBE@\n    }\n}\n",
  ],
  [
    "c",
    ["gcc", "curl"],
    "loop.c",
    ["gcc", "-Wall", "-Wextra", "-Werror", "-o", "loop", "loop.c"],
    ["./loop"],
    "int main(void) {\n  for (int i = 0; i < 20; i++) {\n    @PROBE@\n  }\n}\n",
  ],
  [
    "cpp",
    ["g++", "curl"],
    "loop.cpp",
    ["g++", "-std=c++11", "-Wall", "-Wextra", "-Werror", "-o", "loop", "loop.cpp"],
    ["./loop"],
    "@HEAD@\nint main() {\n  for (int i = 0; i < 20; i++) {\n    @PROBE@\n  }\n}\n",
  ],
] as const;

export const COMPILED: readonly ProbedProgram[] = [
  ...LOOPS.map(([language, tools, file, build, run, source]): ProbedProgram => ({
    ...LIMITED,
    name: `a loop of ${language} with a limit`,
    language,
    tools,
    file,
    build,
    run,
    source,
  })),
  {
    ...LIMITED,
    name: "a loop of Go with a limit",
    language: "go",
    tools: ["go"],
    file: "loop.go",
    build: ["go", "build", "-o", "loop", "loop.go"],
    run: ["./loop"],
    source: "package main\n@HEAD@\nfunc main() {\n\tfor i := 0; i < 20; i++ {\n\t\t@PROBE@\n\t}\n}\n",
  },
  {
    name: "Go",
    language: "go",
    tools: ["go"],
    file: "cart.go",
    build: ["go", "build", "-o", "cart", "cart.go"],
    run: ["./cart"],
    source: `package main

import "fmt"
@HEAD@

type cart struct{ rate int }

func (c *cart) total(items []int) int {
	text := ${LITERAL}
	sum := 0
	var none *cart
	zero := 0.0
	for _, item := range items {
		sum += item
	}
	odd := map[string]interface{}{"raw": []byte("a"), "far": []float64{zero / zero}, "bill": struct{ sum int }{2}}
	odd["of"] = odd
	_, _, _ = text, none, zero
	@PROBE@
	return sum * c.rate
}

func main() { fmt.Println((&cart{2}).total([]int{1, 2})) }
`,
    data: "sum | text | bad=none.rate | rate=c.rate | items=items[:1] | nan=zero / zero | odd",
    events: [
      {
        sum: 3,
        text: TEXT,
        bad: THROWN,
        rate: 2,
        items: [1],
        nan: "NaN",
        odd: { raw: "a", far: ["NaN"], bill: { sum: 2 }, of: "[circular]" },
      },
    ],
    status: 0,
  },
  {
    name: "Java",
    language: "java",
    tools: ["javac", "java"],
    file: "Cart.java",
    build: ["javac", "-Xlint:all", "-Werror", "-encoding", "UTF-8", "Cart.java"],
    run: ["java", "-XX:TieredStopAtLevel=1", "Cart"],
    source: `class Cart {
  int rate = 2;
  int total(int[] items) {
    String text = ${LITERAL};
    int sum = 0;
    for (int item : items) sum += item;
    @PROBE@
    return sum * rate;
  }
  public static void main(String[] words) {
    System.out.println(new Cart().total(new int[] { 1, 2 }));
    System.exit(5);
  }
}
`,
    data: "sum | text | bad=items[9] | rate=this.rate | nan=0.0 / 0 | letter='x'",
    events: [{ sum: 3, text: TEXT, bad: THROWN, rate: 2, nan: "NaN", letter: "x" }],
    status: 5,
  },
  {
    name: "Rust",
    language: "rust",
    tools: ["rustc"],
    file: "cart.rs",
    build: ["rustc", "--edition", "2021", "-o", "cart", "cart.rs"],
    run: ["./cart"],
    source: `struct Cart { rate: i32 }
impl Cart {
    fn total(&self, items: &[i32]) -> i32 {
        let text = ${LITERAL};
        let owned = String::from(text);
        let sum: i32 = items.iter().sum();
        @PROBE@
        drop(owned);
        sum * self.rate
    }
}
fn main() { println!("{}", Cart { rate: 2 }.total(&[1, 2])); std::process::exit(5) }
`,
    data: "sum | text=owned | rate=self.rate | items | nan=0.0_f64 / 0.0 | has=text.len() > 3",
    events: [{ sum: 3, text: TEXT, rate: 2, items: "[1, 2]", nan: "NaN", has: true }],
    status: 5,
  },
  ...(["gcc", "g++"] as const).map((compiler): ProbedProgram => {
    const isC = compiler === "gcc";
    const file = isC ? "cart.c" : "cart.cpp";
    return {
      name: isC ? "C" : "C++",
      language: isC ? "c" : "cpp",
      tools: [compiler, "curl"],
      file,
      build: [
        compiler,
        isC ? "-std=c11" : "-std=c++11",
        "-O2",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-o",
        "cart",
        file,
      ],
      run: ["./cart"],
      source: `@HEAD@
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
static int total(const int *items, int rate) {
    const char *text = "say \\"hi\\" \\\\ über '日本'";
    unsigned long sum = 0;
    for (int at = 0; at < 2; at++) sum += (unsigned long)items[at];
    double none = 0.0;
    @PROBE@
    (void)text; (void)none;
    return (int)sum * rate;
}
int main(void) { int items[] = {1, 2}; printf("%d\\n", total(items, 2)); return 5; }
`.replace("#define _GNU_SOURCE 1\n", isC ? "#define _GNU_SOURCE 1\n" : ""),
      data: "sum | text | rate=-rate | nan=none / none | half=rate / 4.0 | pointer=(void *)items != 0",
      events: [
        {
          sum: 3,
          text: `say "hi" \\ über '日本'`,
          rate: -2,
          nan: /^-?nan$/,
          half: 0.5,
          pointer: isC ? 1 : true,
        },
      ],
      status: 5,
    };
  }),
];

/** Languages whose tools no machine of the project has had, and what they are called. */
export const NEVER_RUN = {
  kotlin: "Kotlin",
  swift: "Swift",
  dart: "Dart",
  csharp: "C#",
  powershell: "PowerShell",
};
