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

export const ephemeralStored = (attribute: string, found: string): EvaluationError =>
  new EvaluationError(
    `${attribute} uses ${found}, which is ephemeral: Terraform must not store it.`,
    [attribute],
  );

/** A reason for which Terraform refuses a move. */
interface MoveRule {
  /** Returns what is wrong with a move; undefined if the rule holds. */
  readonly problem: (move: Move, context: MoveContext) => string | undefined;
  /** True if nothing else is said of such a move. */
  readonly isLast?: boolean;
}

interface MoveContext {
  readonly run: PlanRun;
  /** The first target of each source, and the first source of each target. */
  readonly targets: ReadonlyMap<string, string>;
  readonly sources: ReadonlyMap<string, string>;
}

const rules: readonly MoveRule[] = [
  {
    isLast: true,
    problem: ({ from, to }) =>
      idOf(from) === idOf(to)
        ? `${from.address} moves to itself. Remove this moved block.`
        : undefined,
  },
  {
    problem: ({ from, to }, { run }) =>
      isDeclared(run, from)
        ? `${from.address} is still in the stack, so it has not moved to ${to.address}. ` +
          `Rename it to ${to.address}, or remove this moved block.`
        : undefined,
  },
  {
    problem: ({ from, to }, { targets }) => {
      const other = targets.get(idOf(from));
      if (other === undefined || other === to.address) return undefined;
      return `${from.address} cannot move to both ${other} and ${to.address}. Remove one of the two moved blocks.`;
    },
  },
  {
    problem: ({ from, to }, { sources }) => {
      const other = sources.get(idOf(to));
      if (other === undefined || other === from.address) return undefined;
      return `${other} and ${from.address} cannot both move to ${to.address}. Remove one of the two moved blocks.`;
    },
  },
];

/** Reports the moves that Terraform refuses. What is still in the stack is known when all is planned. */
export function checkMoves(run: PlanRun): void {
  const { written, circle } = run.moves;
  const targets = new Map<string, string>();
  const sources = new Map<string, string>();
  for (const { from, to } of written) {
    if (!targets.has(idOf(from))) targets.set(idOf(from), to.address);
    if (!sources.has(idOf(to))) sources.set(idOf(to), from.address);
  }
  const context = { run, targets, sources };
  let isValid = true;
  for (const move of written) {
    for (const { problem, isLast = false } of rules) {
      const detail = problem(move, context);
      if (detail === undefined) continue;
      isValid = false;
      run.refuse(move.to.address, summary, detail);
      if (isLast) break;
    }
  }
  if (!isValid || circle === undefined) return;
  const detail =
    `These moves lead back to their beginning: ${circle.slice(1).toSorted().join(", ")}. ` +
    "A chain of moves ends at an address from which nothing moves. Remove one of them.";
  run.refuse("moved", summary, detail);
}

const summary = "Invalid moved block";

/** What is in a module is not read, so nothing can be said of it. */
function isDeclared({ configuration, wanted, unexpanded }: PlanRun, from: Endpoint): boolean {
  const { address, block, key, isWhole } = from;
  const found = configuration.resources.get(block) ?? configuration.modules.get(block);
  if (found === undefined || isWhole) return found !== undefined;
  if (!unexpanded.has(block)) return wanted.has(address);
  return key === undefined && found.count === undefined && found.forEach === undefined;
}
