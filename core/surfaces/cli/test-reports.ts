/** The result of one test. */
export interface Outcome {
  readonly skill: string;
  readonly title: string;
  readonly status: "passed" | "failed" | "skipped";
  /** The reason why it failed or was skipped. */
  readonly reason?: string;
  /** Sentences about faults that the author should fix. */
  readonly warnings?: readonly string[];
}

/** Results as documents for other programs, by the name of the format. */
export const TEST_REPORTS: Readonly<Record<string, (outcomes: readonly Outcome[], seed: number) => string>> =
  {
    tap,
    junit,
  };

/** TAP version 14: testanything.org. */
function tap(outcomes: readonly Outcome[], seed: number): string {
  const lines = outcomes.flatMap(({ skill, title, status, reason = "" }, index) => {
    const name = `${index + 1} - ${`${skill}: ${title}`.replace(/[\\#]/g, "\\$&")}`;
    if (status === "passed") return [`ok ${name}`];
    if (status === "skipped") return [`ok ${name} # SKIP ${reason.replaceAll("\n", " ")}`];
    return [`not ok ${name}`, "  ---", `  message: ${JSON.stringify(reason)}`, "  ..."];
  });
  return ["TAP version 14", `# Seed: ${seed}`, `1..${outcomes.length}`, ...lines, ""].join("\n");
}

/** The XML of JUnit, a suite for each skill, as CI services read it. */
function junit(outcomes: readonly Outcome[], seed: number): string {
  const properties = `    <properties><property name="seed" value="${seed}"/></properties>`;
  const suites = [...new Set(outcomes.map(({ skill }) => skill))].map((skill) => {
    const own = outcomes.filter((outcome) => outcome.skill === skill);
    const cases = own.map(({ title, status, reason = "" }) => {
      const open = `    <testcase classname="${xml(skill)}" name="${xml(title)}"`;
      if (status === "passed") return `${open}/>`;
      const tag = status === "failed" ? "failure" : "skipped";
      return `${open}><${tag} message="${xml(reason)}"/></testcase>`;
    });
    const head = `  <testsuite name="${xml(skill)}" ${counts(own)}>`;
    return [head, properties, ...cases, "  </testsuite>"].join("\n");
  });
  const root = `<testsuites ${counts(outcomes)}>`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', root, ...suites, "</testsuites>", ""].join("\n");
}

function counts(outcomes: readonly Outcome[]): string {
  const count = (status: Outcome["status"]): number => outcomes.filter((one) => one.status === status).length;
  return `tests="${outcomes.length}" failures="${count("failed")}" skipped="${count("skipped")}"`;
}

/** A text as the value of an attribute: XML 1.0 does not allow most control characters. */
function xml(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")
      .replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
  );
}
