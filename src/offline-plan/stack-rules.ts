import type { Traversal } from "./address";
import type { Configuration } from "./configuration";
import { dependedOn } from "./graph";
import { type ConfigurationFault, MetaArguments } from "./meta-arguments";

/** Finds where parts of a stack contradict each other, before anything is planned. */
export function contradictions(configuration: Configuration): readonly ConfigurationFault[] {
  const { resources, providers, modules, removed, outputs, variables } = configuration;
  const meta = new MetaArguments();
  const found = meta.faults;
  for (const [name, body] of variables) {
    if (body["nullable"] !== false || body["default"] !== null) continue;
    meta.fault(
      `var.${name}`,
      "default",
      "default is null, but nullable is false. Remove one of them.",
    );
  }
  const outputBlocks = [...outputs].map(([name, body]) => {
    const address = `output.${name}`;
    return [address, { dependsOn: meta.references(address, body["depends_on"]) }] as const;
  });
  for (const [address, { dependsOn }] of [...resources, ...modules, ...outputBlocks]) {
    for (const each of dependsOn) {
      const detail = dependencyProblem(configuration, each);
      if (detail !== undefined) found.push({ address, attribute: "depends_on", detail });
    }
  }
  for (const [address, { provider }] of resources) {
    if (provider.includes(".") && !providers.has(provider)) {
      const detail =
        `There is no provider configuration ${provider} in the stack. ` +
        "Add a provider with this alias, or name another one.";
      found.push({ address, attribute: "provider", detail });
    }
  }
  for (const { from } of removed) {
    const { block } = from;
    if (!resources.has(block) && !modules.has(block)) continue;
    const detail =
      `${block} is still in the stack, so it is not removed. ` +
      "Delete it from the stack, or delete the removed block that names it.";
    found.push({ address: block, attribute: "removed", detail });
  }
  return found;
}

function dependencyProblem(
  { resources, modules, variables, locals }: Configuration,
  traversal: Traversal,
): string | undefined {
  const { root, steps } = traversal;
  if (root === "path" || root === "terraform") return undefined;
  const id = dependedOn(traversal);
  const length = root === "data" ? 2 : 1;
  const isNamed = steps.slice(0, length).every(({ isIndex }) => !isIndex);
  const [, name = ""] = id?.split(".") ?? [];
  const others = { var: variables, local: locals };
  const isOther = root === "var" || root === "local";
  const block = id === undefined ? undefined : (resources.get(id) ?? modules.get(id));
  if (!isNamed || (isOther ? !others[root].has(name) : block === undefined)) {
    const written = [root, ...steps.map(({ step }) => step)].join(".");
    return `depends_on names ${written}, which is not in the stack. Remove it, or name what is there.`;
  }
  const [key, ...rest] = steps.slice(length);
  const isRepeated = block?.count !== undefined || block?.forEach !== undefined;
  const isKey = key === undefined || root === "module" || (key.isIndex && isRepeated);
  return isKey && rest.length === 0
    ? undefined
    : `depends_on names a part of ${id}, but must name the whole. Write ${id} instead.`;
}
