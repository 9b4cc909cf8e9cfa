/** The facts of the commands in the tables of rules, on the machine that those cases assume. */
import type { Subject } from "../plugin.ts";
import { readShell } from "../shell/read-shell.ts";

export async function withShell(subject: Subject): Promise<Subject> {
  const { command, shell, cwd = "/shop" } = subject;
  if (command === undefined || shell) return subject;
  const home = "/home/ada";
  return {
    ...subject,
    shell: await readShell(command, { cwd, home, places: [`${home}/.svc-login`], inner: [] }),
  };
}
