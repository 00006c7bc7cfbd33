import type { Properties } from "../../core/json/plain-json";
import { outermostModule, parseTarget, type Traversal, withoutKeys } from "./address";
import { bodies } from "./blocks";
import { type Expression, partsOf } from "../expression/syntax";
import { AttributeError, expressionOf } from "./body";
import type { Configuration } from "./configuration";
import { dependedOn, dependenciesOf } from "./graph";
import { type ConfigurationFault, MetaArguments } from "./meta-arguments";

/** Finds where parts of a stack contradict each other, before anything is planned. */
export function contradictions(configuration: Configuration): readonly ConfigurationFault[] {
  const { resources, providers, modules, removed, outputs, variables } = configuration;
  const meta = new MetaArguments();
  const found = meta.faults;
  for (const [name, body] of variables) variableFaults(meta, name, body);
  for (const { to } of configuration.imports) {
    const block = withoutKeys(to);
    const isExpected = resources.has(block) || modules.has(outermostModule(block).call);
    if (isExpected || parseTarget(to) === undefined) continue;
    meta.fault(
      "import",
      "to",
      `import names ${to}, which is not in the stack. Add the resource, or remove the import block.`,
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

/** Terraform keeps these for modules. */
const reservedNames = new Set(
  "source version providers count for_each lifecycle depends_on locals".split(" "),
);

function variableFaults(meta: MetaArguments, name: string, body: Properties): void {
  const address = `var.${name}`;
  const fault = (attribute: string, detail: string): void => {
    meta.fault(address, attribute, detail);
  };
  if (reservedNames.has(name)) {
    fault(
      "name",
      `The name "${name}" is reserved for the arguments of modules. Choose another one.`,
    );
  }
  if (body["nullable"] === false && body["default"] === null) {
    fault("default", "default is null, but nullable is false. Remove one of them.");
  }
  for (const { condition } of bodies(body["validation"])) {
    if (readable(() => dependenciesOf([expressionOf(condition)]))?.includes(address) === false) {
      fault("validation", `The condition must refer to ${address}, but does not.`);
    }
  }
}

/** What cannot be read is reported where it is evaluated. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
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

/**
 * Returns what ephemeral things expressions use, such as `var.token`, also through locals; undefined if there is nothing.
 *
 * @see {@link https://developer.hashicorp.com/terraform/language/resources/ephemeral}
 */
export function ephemeralIn(
  { variables, locals, hasEphemeral }: Configuration,
  expressions: readonly Expression[],
): string | undefined {
  const open = hasEphemeral ? [...expressions] : [];
  const seen = new Set<string>();
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    // Its result is null, and thus no longer ephemeral.
    if (each.kind === "call" && each.name === "ephemeralasnull") continue;
    open.push(...partsOf(each));
    if (each.kind !== "attribute" || each.of.kind !== "variable") continue;
    const { name, of } = each;
    if (of.name === "ephemeral") return `ephemeral.${name}`;
    if (of.name === "var" && variables.get(name)?.["ephemeral"] === true) return `var.${name}`;
    if (of.name !== "local" || seen.has(name) || !locals.has(name)) continue;
    seen.add(name);
    open.push(expressionOf(locals.get(name)));
  }
  return undefined;
}

export const ephemeralStored = (attribute: string, found: string): AttributeError =>
  new AttributeError(
    `${attribute} uses ${found}, which is ephemeral: Terraform must not store it.`,
    [attribute],
  );
