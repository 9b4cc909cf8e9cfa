/** For tests: the code of a third-party skill in TypeScript. It borrows `moons`, and lends `tides`. */
import { definePlugin, inject, injectable, port } from "skillctl";

/** Lent by a skill in plain JavaScript. */
interface Moons {
  readonly phase: (night: number) => string;
}

interface Tides {
  readonly at: (place: string) => string;
}

const TIDES = port<Tides>("tides");

@injectable()
class MoonTides implements Tides {
  constructor(@inject(port<Moons>("moons")) private readonly moons: Moons) {}

  at(place: string): string {
    return `${this.moons.phase(place.length)} tide at ${place}`;
  }
}

@injectable()
class GreetCommand {
  constructor(@inject(TIDES) private readonly tides: Tides) {}

  async run({ name }: { readonly name: string }): Promise<{ readonly text: string }> {
    return { text: this.tides.at(name) };
  }
}

interface Contract {
  readonly commands: {
    readonly greet: { readonly input: { readonly name: string }; readonly output: { readonly text: string } };
  };
  readonly routes: object;
  readonly rules: never;
}

export default definePlugin<Contract>({
  wire: ({ single }) => single(TIDES, MoonTides),
  commands: { greet: GreetCommand },
  routes: {},
  rules: {},
});
