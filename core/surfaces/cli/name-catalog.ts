import { Catalog } from "../../catalog.ts";
import { asHosted, folderOf, foreignShelf } from "./shelf.ts";
import type { VerbContext } from "./verb.ts";

/** All skills by name, foreign ones with nothing but their ports in the manifest. */
export async function nameCatalog(context: VerbContext): Promise<Catalog> {
  if (context.options.plugins.length === 0) return new Catalog(context.builtin);
  const { indexed } = await foreignShelf(context);
  const foreign = indexed.flatMap((one) =>
    one.names.map((name) => asHosted(folderOf(one, name), name, one.ports[name] ?? {})),
  );
  const faults = indexed.flatMap((one) => one.faults);
  return new Catalog([...context.builtin, ...foreign], faults);
}
