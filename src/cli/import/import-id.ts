import type { Properties } from "../../core/json/plain-json";
import { ownState } from "../check/baseline";
import { tell } from "../invocation/failure";
import { type Declaration, wireName } from "../../core/schema";
import { literalText } from "./plain-body";
import type { ParsedStack } from "./settings";

const placeholder = /\{\+?(\w+)\}/g;

/**
 * Returns the ID by which a resource is imported: the first form that its state can fill in, else its `id`.
 *
 * @param state by Terraform's names
 */
export function importIdOf(
  { importId, attributes }: Declaration,
  state: Properties,
): string | undefined {
  const partOf = (name: string): string => {
    const value = state[wireName(name, attributes[name])];
    return typeof value === "string" ? value : "";
  };
  for (const form of importId) {
    const names = [...form.matchAll(placeholder)].map(([, name = ""]) => name);
    if (names.some((name) => partOf(name) === "")) continue;
    return form.replaceAll(placeholder, (_, name: string) => partOf(name));
  }
  const { id } = state;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** The import IDs of the resources of a type that stacks import, or that are in their local states. */
export async function managedIds(
  declaration: Declaration,
  stacks: readonly ParsedStack[],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const { stack, content, configuration } of stacks) {
    for (const { to, id } of configuration.imports) {
      const text = to.startsWith(`${declaration.type}.`) ? literalText(id) : undefined;
      if (text !== undefined) ids.add(text);
    }
    const { state, isKnown, description } = await ownState(stack, content);
    if (!isKnown)
      tell(`${stack.name} is compared with ${description}: what it manages is listed, too`);
    for (const { type, mode, attributes } of state.instances) {
      const id = importIdOf(declaration, attributes);
      if (type === declaration.type && mode === "managed" && id !== undefined) ids.add(id);
    }
  }
  return ids;
}
