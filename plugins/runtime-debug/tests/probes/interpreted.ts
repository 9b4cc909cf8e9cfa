import { LITERAL, TEXT, THROWN, type ProbedProgram } from "./program.ts";

const NODE_BODY = `
function total(items, rate) {
  const cyclic = { items, rate, get none() { throw new RangeError("none") } }; cyclic.self = cyclic;
  const text = ${LITERAL};
  let sum = 0
  for (const item of items) sum += item
  @PROBE@
  return sum * rate
}
class Cart { #items = [1, 2]; total() { return total(this.#items, 2) } }
function* sums() { yield new Cart().total() }
async function main() { for (const one of sums()) console.log(one) }
main()
`;
const NODE_DATA =
  "sum | text | bad=items.none.more | big=BigInt(sum) * 10n | cyclic | nan=sum / 0 - sum / 0 | set=new Set([1, new Map([['a', 2n]])]) | odd=[Symbol('s'), undefined, () => 1, new Date(NaN), /a/]";
const NODE_EVENT = {
  sum: 3,
  text: TEXT,
  bad: THROWN,
  big: "30n",
  cyclic: { items: [1, 2], rate: 2, none: "! RangeError: none", self: "[circular]" },
  nan: "NaN",
  set: { Set: [1, { Map: [["a", "2n"]] }] },
  odd: ["Symbol(s)", "undefined", "[function ]", "Invalid Date", "/a/"],
};
const NODE = {
  language: "javascript",
  tools: ["node"],
  source: NODE_BODY,
  data: NODE_DATA,
  events: [NODE_EVENT],
  status: 0,
} as const;

/** Of many passes the first are reported, then those whose number is a power of two. */
export const LIMITED = {
  data: "i",
  limit: 2,
  events: [0, 1, 3, 7, 15].map((i) => ({ i })),
  skipped: [0, 0, 1, 3, 7],
  status: 0,
} as const;

const LOOPS = [
  ["php", "php", "loop.php", "<?php\nfor ($i = 0; $i < 20; $i++) {\n  @PROBE@\n}\n", "i=$i"],
  ["ruby", "ruby", "loop.rb", "20.times do |i|\n  @PROBE@\nend\n", "i"],
  ["perl", "perl", "loop.pl", "use strict; use warnings;\nfor my $i (0 .. 19) {\n  @PROBE@\n}\n", "i=$i"],
  ["lua", "lua5.4", "loop.lua", "for i = 0, 19 do\n  @PROBE@\nend\n", "i"],
] as const;

export const INTERPRETED: readonly ProbedProgram[] = [
  ...LOOPS.map(([language, tool, file, source, data]): ProbedProgram => ({
    ...LIMITED,
    name: `a loop of ${language} with a limit`,
    language,
    tools: [tool],
    file,
    source,
    data,
  })),
  {
    ...NODE,
    ...LIMITED,
    name: "a loop of Node with a limit",
    file: "loop.cjs",
    source: "for (let i = 0; i < 20; i++) {\n  @PROBE@\n}\n",
  },
  {
    ...LIMITED,
    name: "a loop of Python with a limit",
    language: "python",
    tools: ["python3"],
    file: "loop.py",
    source: "for i in range(20):\n  @PROBE@\n  pass\n",
  },
  { ...NODE, name: "a module of Node", file: "cart.mjs" },
  {
    ...NODE,
    name: "a strict script of Node",
    file: "cart.cjs",
    source: `"use strict";${NODE_BODY}`,
  },
  {
    ...NODE,
    name: "a script of Node that ends at once, waiting for the answer,",
    sync: true,
    file: "exit.cjs",
    source: "for (let i = 0; i < 3; i++) {\n  @PROBE@\n}\nconsole.log('bye')\nprocess.exit(3)\n",
    data: "i",
    events: [{ i: 0 }, { i: 1 }, { i: 2 }],
    status: 3,
  },
  {
    ...NODE,
    name: "a script of Node that throws, waiting for the answer,",
    sync: true,
    file: "throws.cjs",
    source:
      "try {\n  null.x\n} catch (error) {\n  @PROBE@\n  process.exitCode = 4\n}\nsetTimeout(() => { process.kill(process.pid, 0); console.log('late'); throw null }, 30)\nprocess.on('uncaughtException', () => process.exit(7))\n",
    data: "error",
    events: [{ error: /^TypeError: / }],
    status: 7,
  },
  {
    name: "Python",
    language: "python",
    tools: ["python3"],
    file: "cart.py",
    source: `import sys
class Cart:
    def __init__(self): self.__rate = 2
    def total(self, items):
        text = ${LITERAL}
        loop = [items]; loop.append(loop)
        total = sum(items)
        cart = {1: {2}, "raw": b"a", "of": self, "far": [float("inf")]}
        @PROBE@
        return total * self.__rate
print(Cart().total([1, 2]))
sys.exit(5)
`,
    data: 'sum=total | text | bad=items[9] | rate=self.__rate | loop | nan=float("nan") | keys=(1,) in [(1,)] | cart',
    events: [
      {
        sum: 3,
        text: TEXT,
        bad: THROWN,
        rate: 2,
        loop: [[1, 2], "[circular]"],
        nan: "nan",
        keys: true,
        cart: { "1": { set: [2] }, raw: "b'a'", of: { Cart: { _Cart__rate: 2 } }, far: ["inf"] },
      },
    ],
    status: 5,
  },
  {
    name: "PHP",
    language: "php",
    tools: ["php"],
    file: "cart.php",
    source: `<?php
declare(strict_types=1);
class Cart { private $rate = 2; function total(array $items) {
  $text = ${LITERAL};
  $total = array_sum($items);
  @PROBE@
  return $total * $this->rate;
} }
echo (new Cart)->total([1, 2]), "\\n";
exit(5);
`,
    data: "sum=$total | text=$text | bad=intdiv($total, 0) | rate=$this->rate | missing=$nothing | nan=NAN",
    events: [{ sum: 3, text: TEXT, bad: THROWN, rate: 2, missing: null, nan: "NAN" }],
    status: 5,
  },
  {
    name: "Ruby",
    language: "ruby",
    tools: ["ruby"],
    file: "cart.rb",
    source: `class Cart
  def initialize; @rate = 2 end
  def total(items)
    text = ${LITERAL}
    v, w, e, t, m = 1, 2, 3, 4, 5
    sum = items.sum
    @PROBE@
    raise "changed" unless [v, w, e, t, m] == [1, 2, 3, 4, 5] && !defined?(JSON)
    sum * @rate
  end
end
puts Cart.new.total([1, 2])
exit!(5)
`,
    data: "sum | text | bad=items.none | rate=@rate | nested=[nil, true, :sym, 1.5, items] | nan=0.0 / 0",
    events: [
      { sum: 3, text: TEXT, bad: THROWN, rate: 2, nested: "[nil, true, :sym, 1.5, [1, 2]]", nan: "NaN" },
    ],
    status: 5,
  },
  {
    name: "Perl",
    language: "perl",
    tools: ["perl"],
    file: "cart.pl",
    source: `use strict; use warnings; use utf8;
sub total { my ($self, @items) = @_;
  my $text = "say \\"hi\\" \\\\ über\\n日本"; my $sum = 0; $sum += $_ for @items;
  eval { die "before\\n" };
  @PROBE@
  print "error: $@";
  return $sum * $self->{rate};
}
print total({ rate => 2 }, 1, 2), "\\n";
exit 5;
`,
    data: "sum=$sum | text=$text | bad=$self->none | rate=$self->{rate} | items=[@items] | far=9**9**9",
    events: [{ sum: 3, text: TEXT, bad: THROWN, rate: 2, items: [1, 2], far: /Inf/ }],
    status: 5,
  },
  {
    name: "Lua",
    language: "lua",
    tools: ["lua5.4"],
    file: "cart.lua",
    source: `local Cart = { rate = 2 }
function Cart:total(items)
  local text = ${LITERAL}
  local sum = 0
  for _, item in ipairs(items) do sum = sum + item end
  @PROBE@
  return sum * self.rate
end
print(Cart:total({ 1, 2 }))
os.exit(5)
`,
    data: "sum | text | bad=items.none.more | rate=self.rate | missing=nothing | nan=0 / 0 ~= 0",
    events: [{ sum: 3, text: TEXT, bad: THROWN, rate: 2, missing: null, nan: true }],
    status: 5,
  },
  ...(["sh", "bash"] as const).map((shell): ProbedProgram => ({
    name: `a script of ${shell}`,
    language: "shell",
    tools: [shell, "curl"],
    file: "cart.sh",
    source: `#!/bin/sh
set -eu
total() {
  text='say "hi" \\ über
日本'
  sum=$(($1 + $2))
  @PROBE@
  echo $((sum * 2))
}
total 1 2
set +e
(exit 6)
@PROBE@
echo $? "\${u-unset} \${j-unset}"
exit 5
`,
    data: "sum=$sum | text=${text} | first=$1 | missing=$nothing",
    events: [
      { sum: "3", text: TEXT, first: "1", missing: "" },
      { sum: "3", text: TEXT, first: "", missing: "" },
    ],
    status: 5,
  })),
];
