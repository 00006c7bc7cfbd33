import { ScriptGraph } from "../../../core/workspace/script-order/script-graph";
import { listOf, objectOf, stringOf } from "../terraform/json-value";
import { labelOf, type ResourceValues } from "../terraform/resource-values";

type Resource = Pick<ResourceValues, "address" | "mode" | "type" | "values">;

/** The order of a template's scripts, as the platform reads it. */
interface ScriptOrder {
  /** By the addresses of the scripts. */
  readonly graph: ScriptGraph;
  /** Why the platform refuses the rules. */
  readonly refusals: readonly string[];
  /** Rules that have no effect, or not on all scripts. */
  readonly warnings: readonly string[];
}

/**
 * Reads the rules in a plan or a state, and checks them as the platform does when it imports a template.
 *
 * @param agentOf returns the agent of the script with an address, if it is known
 * @param isDeclared checks whether the template declares a script or a module, even if no instance exists
 */
export function scriptOrder(
  resources: readonly Resource[],
  typePrefix: string,
  agentOf: (script: string) => string | undefined,
  isDeclared: (address: string) => boolean,
): ScriptOrder {
  const scripts = resources.filter(
    ({ mode, type }) => mode === "managed" && type === `${typePrefix}script`,
  );
  const graph = new ScriptGraph();
  const refusals: string[] = [];
  const warnings: string[] = [];
  const orders = resources.filter(
    ({ mode, type }) => mode === "data" && type === `${typePrefix}script_order`,
  );
  for (const { address, values } of orders) {
    const module = address.slice(0, address.lastIndexOf("data."));
    listOf(values["rule"])
      .map(objectOf)
      .forEach((rule, index) => {
        const selectors = (name: string) => listOf(rule[name]).map(stringOf);
        const select = (name: string) =>
          selectors(name).map((selector) => selected(selector, module, scripts, typePrefix));
        const [run, after] = [select("run"), select("after")];
        const all = [...run, ...after];
        const found = problemsOf(all, stringOf(rule["phase"]), agentOf, (each) =>
          isDeclared(module + each),
        );
        const where = `${address} rule ${index}`;
        refusals.push(...found.map((problem) => `${where}: ${problem}`));
        if (found.length > 0) return;
        const phase = phaseOfRule(all, stringOf(rule["phase"]));
        const inPhase = (side: readonly Selection[]) =>
          side
            .flatMap((each) => each.scripts)
            .filter((script) => phaseOf(script) === phase)
            .map((script) => script.address);
        const empty = all.filter((each) => each.scripts.length === 0);
        warnings.push(
          ...empty.map(
            ({ selector }) => `${where}: "${selector}" selects no script, so it has no effect.`,
          ),
        );
        const requires = stringOf(rule["requires"]) || "success";
        const circles = graph.add(inPhase(run), inPhase(after), requires);
        refusals.push(...circles.map((problem) => `${where}: ${problem}`));
      });
  }
  return { graph, refusals, warnings };
}

interface Selection {
  readonly selector: string;
  readonly isModule: boolean;
  readonly isScript: boolean;
  readonly scripts: readonly Resource[];
  /** All instances of a script, also if only one of them is selected. */
  readonly siblings: readonly Resource[];
}

function selected(
  selector: string,
  module: string,
  scripts: readonly Resource[],
  typePrefix: string,
): Selection {
  const address = module + selector;
  const isModule = /^module\.[\w-]+$/.test(selector);
  const instancesOf = (script: string) =>
    scripts.filter(({ address: each }) => each === script || each.startsWith(`${script}[`));
  return {
    selector,
    isModule,
    isScript: selector.startsWith(`${typePrefix}script.`),
    scripts: isModule
      ? scripts.filter(
          ({ address: each }) => each.startsWith(`${address}.`) || each.startsWith(`${address}[`),
        )
      : instancesOf(address),
    siblings: instancesOf(module + labelOf(selector)),
  };
}

function problemsOf(
  all: readonly Selection[],
  declared: string,
  agentOf: (script: string) => string | undefined,
  isDeclared: (selector: string) => boolean,
): readonly string[] {
  const unknown = all.filter(
    ({ selector, isModule, isScript, scripts, siblings }) =>
      !(isModule || isScript) ||
      (scripts.length === 0 && siblings.length === 0 && !isDeclared(selector)),
  );
  const untriggered = all.flatMap(({ scripts }) =>
    scripts.filter((script) => phaseOf(script) === undefined),
  );
  // A script without any instance is accepted, but not a selector that asks for one of them.
  const missing = all.filter(
    (each) => !unknown.includes(each) && each.scripts.length === 0 && each.selector.includes("["),
  );
  if (unknown.length > 0 || missing.length > 0 || untriggered.length > 0) {
    return [
      ...unknown.map(({ selector }) => `the template has no script or module "${selector}".`),
      ...missing.map(({ selector, siblings }) => {
        const others = siblings.map(({ address }) => address).join(", ");
        const found = others === "" ? "It has none." : `It has ${others}.`;
        return `the script has no instance "${selector}". ${found}`;
      }),
      ...untriggered.map(
        ({ address }) => `${address} must run either on start or on stop to be ordered.`,
      ),
    ];
  }
  const phase = phaseOfRule(all, declared);
  const strict = all.some(({ isModule }) => !isModule)
    ? all.filter(({ isModule }) => !isModule)
    : all.filter(() => declared === "");
  const scripts = strict.flatMap((each) => each.scripts);
  const other = scripts.find((script) => phaseOf(script) !== phase);
  if (other !== undefined) {
    const cure = strict.every(({ isModule }) => isModule) ? ' Set phase to "start" or "stop".' : "";
    return [
      `${other.address} runs on ${phaseOf(other) ?? ""}, but others on ${phase ?? ""}.${cure}`,
    ];
  }
  const [first, ...rest] = all
    .flatMap((each) => each.scripts)
    .filter((script) => phaseOf(script) === phase && agentOf(script.address) !== undefined);
  const foreign = rest.find(
    ({ address }) => first !== undefined && agentOf(address) !== agentOf(first.address),
  );
  return first === undefined || foreign === undefined
    ? []
    : [
        `scripts of one agent can be ordered, but ${first.address} is of ${agentOf(first.address) ?? ""}, and ${foreign.address} of ${agentOf(foreign.address) ?? ""}.`,
      ];
}

/** The declared phase, otherwise that of the selected scripts, otherwise that of the scripts in modules. */
function phaseOfRule(all: readonly Selection[], declared: string): string | undefined {
  if (declared !== "") return declared;
  const own = all.filter(({ isModule }) => !isModule).flatMap(({ scripts }) => scripts);
  const [first] = own.length > 0 ? own : all.flatMap(({ scripts }) => scripts);
  return first === undefined ? undefined : phaseOf(first);
}

/** The phase of a script that runs in exactly one. */
function phaseOf({ values }: Resource): "start" | "stop" | undefined {
  const [start, stop] = [values["run_on_start"] === true, values["run_on_stop"] === true];
  if (start === stop) return undefined;
  return start ? "start" : "stop";
}
