import { EvaluationError } from "../expression/value";
import type { Properties } from "../../core/json/plain-json";
import { type Expression, partsOf } from "../expression/syntax";
import { outermostModule, parseTarget, type Traversal, withoutKeys } from "./address";
import { bodies, expressionOf } from "./body";
import type { Configuration } from "./configuration";
import { dependedOn, dependenciesOf } from "./graph";
import { type ConfigurationFault, MetaArguments } from "./meta-arguments";
import { type Endpoint, idOf, type Move } from "./moves";
import type { PlanRun } from "./plan-run";

/** Finds contradictions between parts of a stack, before it is planned. */
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
        `The stack has no provider configuration ${provider}. ` +
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

/** Names that Terraform reserves for the arguments of modules. */
const reservedNames = new Set(
  "source version providers count for_each lifecycle depends_on locals".split(" "),
);

function variableFaults(meta: MetaArguments, name: string, body: Properties): void {
  const address = `var.${name}`;
  const fault = (attribute: string, detail: string): void => {
    meta.fault(address, attribute, detail);
  };
  if (reservedNames.has(name)) {
    fault("name", `The name "${name}" is reserved for arguments of modules. Choose another name.`);
  }
  if (body["nullable"] === false && body["default"] === null) {
    fault("default", "default is null, but nullable is false. Remove one of them.");
  }
  for (const { condition } of bodies(body["validation"])) {
    if (readable(() => dependenciesOf([expressionOf(condition)]))?.includes(address) === false) {
      fault("validation", `The condition must refer to ${address}.`);
    }
  }
}

/** Ignores errors, because they are reported when the expression is evaluated. */
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
    return `depends_on names ${written}, which is not in the stack. Remove it, or correct the name.`;
  }
  const [key, ...rest] = steps.slice(length);
  const isRepeated = block?.count !== undefined || block?.forEach !== undefined;
  const isKey = key === undefined || root === "module" || (key.isIndex && isRepeated);
  return isKey && rest.length === 0
    ? undefined
    : `depends_on names a part of ${id}. Write ${id} instead.`;
}

/**
 * Returns the first ephemeral value that expressions use, such as `var.token`, also through locals.
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
    // Its result is null, which is not ephemeral.
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

export const ephemeralStored = (attribute: string, found: string): EvaluationError =>
  new EvaluationError(
    `${attribute} uses ${found}, which is ephemeral, so Terraform must not store it.`,
    [attribute],
  );

/** Reports the moves that Terraform refuses, once all instances in the stack are known. */
export function checkMoves(run: PlanRun): void {
  const { written, circle } = run.moves;
  const reversed = written.toReversed();
  const firstTargets = new Map(reversed.map(({ from, to }) => [idOf(from), to.address]));
  const firstSources = new Map(reversed.map(({ from, to }) => [idOf(to), from.address]));
  let isValid = true;
  for (const move of written) {
    const { from, to } = move;
    const [target, source] = [firstTargets.get(idOf(from)), firstSources.get(idOf(to))];
    for (const detail of problemsOf(run, move, target, source)) {
      isValid = false;
      run.refuse(to.address, summary, detail);
    }
  }
  if (!isValid || circle === undefined) return;
  const detail =
    `These moves form a circle: ${circle.slice(1).toSorted().join(", ")}. ` +
    "A chain of moves must end at an address from which nothing moves. Remove one of them.";
  run.refuse("moved", summary, detail);
}

const summary = "Invalid moved block";

/**
 * @param target the first target of the source
 * @param source the first source of the target
 */
function problemsOf(
  run: PlanRun,
  { from, to }: Move,
  target = to.address,
  source = from.address,
): readonly string[] {
  if (idOf(from) === idOf(to)) {
    return [`${from.address} moves to itself. Remove this moved block.`];
  }
  const declared =
    `${from.address} is still in the stack, so it has not moved to ${to.address}. ` +
    `Rename it to ${to.address}, or remove this moved block.`;
  const several = `${from.address} cannot move to both ${target} and ${to.address}. Remove one of the two moved blocks.`;
  const shared = `${source} and ${from.address} cannot both move to ${to.address}. Remove one of the two moved blocks.`;
  return [
    ...(isDeclared(run, from) ? [declared] : []),
    ...(target === to.address ? [] : [several]),
    ...(source === from.address ? [] : [shared]),
  ];
}

/** Checks for an address in the stack. The content of modules is not read. */
function isDeclared({ configuration, wanted, unexpanded }: PlanRun, from: Endpoint): boolean {
  const { address, block, key, isWhole } = from;
  const found = configuration.resources.get(block) ?? configuration.modules.get(block);
  if (found === undefined || isWhole) return found !== undefined;
  if (!unexpanded.has(block)) return wanted.has(address);
  return key === undefined && found.count === undefined && found.forEach === undefined;
}
