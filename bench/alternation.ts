import { quiet } from "./quiet.ts";

/**
 * Measures each subject once a round, a different one first each time, on a machine as quiet as it gets.
 * Answers a list a subject, in their order.
 */
export async function alternating<Subject, Measure>(
  rounds: number,
  subjects: readonly Subject[],
  measure: (subject: Subject) => Promise<Measure>,
): Promise<readonly (readonly Measure[])[]> {
  const measures = subjects.map((): Measure[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (let step = 0; step < subjects.length; step += 1) {
      const index = (round + step) % subjects.length;
      await quiet();
      measures[index]?.push(await measure(subjects[index] as Subject));
    }
  }
  return measures;
}
