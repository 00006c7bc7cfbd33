import { TerraformModule } from "cdktf";
import {
  isToken,
  withExpressions,
  type StackContext,
  type StackFinding,
  type StackMember,
} from "../../construct";
import { correctionText, type Finding, knownElements, type Path, suggestion } from "../../schema";
import { agentOfPart } from "../template/agent-parts";
import { presenceOf } from "../template/presence";
import { isOf, siblingType } from "../template/terraform-type";
import { ScriptGraph } from "./script-graph";

/** Checks the scripts that rules select. Otherwise, only the platform checks them, when it imports a template. */
export function* orderOfScripts(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  const graph = new ScriptGraph();
  for (const order of members.filter((member) => isOf(member, "workspace_script_order"))) {
    for (const [[index = 0], rule] of knownElements(order.values["rules"])) {
      const seen = new RuleReader(order, members, context).read(rule, ["rules", index]);
      for (const finding of seen.findings) yield { construct: order.construct, finding };
      if (seen.findings.length > 0) continue;
      const requires = typeof rule["requires"] === "string" ? rule["requires"] : "success";
      for (const message of graph.add(seen.run, seen.after, requires)) {
        yield { construct: order.construct, finding: problem(["rules", index], message) };
      }
    }
  }
}

interface Selected {
  readonly path: Path;
  readonly script: StackMember;
}

const problem = (path: Path, message: string): Finding => ({
  code: "INVALID_ARGUMENT",
  severity: "error",
  path,
  message,
});

/** Reads one rule, and finds the scripts that it selects. */
class RuleReader {
  readonly #order: StackMember;
  readonly #context: StackContext;
  readonly #scripts = new Map<string, StackMember>();
  readonly #findings: Finding[] = [];

  constructor(order: StackMember, members: readonly StackMember[], context: StackContext) {
    this.#order = order;
    this.#context = context;
    for (const member of members) {
      const address = context.references().of(member.construct)?.address;
      if (isOf(member, "workspace_script") && address !== undefined) {
        this.#scripts.set(address, member);
      }
    }
  }

  read(rule: Readonly<Record<string, unknown>>, path: Path) {
    const run = this.#selected(rule["run"], [...path, "run"]);
    const after = this.#selected(rule["after"], [...path, "after"]);
    this.#samePhase([...run, ...after], rule["phase"]);
    this.#sameAgent([...run, ...after]);
    const pathOf = ({ script }: Selected) => script.construct.node.path;
    return { run: run.map(pathOf), after: after.map(pathOf), findings: this.#findings };
  }

  #selected(value: unknown, path: Path): readonly Selected[] {
    if (!Array.isArray(value)) return [];
    return value.flatMap((each: unknown, index) => {
      const selector = withExpressions(this.#order.construct, each);
      if (typeof selector !== "string" || selector.includes("${")) return [];
      const at = [...path, index];
      if (selector.startsWith("module.")) {
        this.#module(selector, at);
        return [];
      }
      const script = this.#script(selector, at);
      return script === undefined ? [] : [{ path: at, script }];
    });
  }

  #module(selector: string, path: Path): void {
    const found = this.#context.references().at(selector)?.element;
    if (found instanceof TerraformModule) return;
    this.#report(path, `must be a module of this stack (got ${JSON.stringify(selector)})`);
  }

  #script(selector: string, path: Path): StackMember | undefined {
    const [address = "", key] = selector.split(/(?=\[)/);
    const script = this.#scripts.get(address);
    const got = `(got ${JSON.stringify(selector)})`;
    if (script === undefined) {
      const type = siblingType(this.#order, "workspace_script");
      // A script that an escape hatch has made has properties that are not known here.
      if (address.startsWith(`${type}.`) && this.#context.references().at(address))
        return undefined;
      const meant = suggestion(address, this.#scripts.keys());
      const correction = meant === undefined ? undefined : { got: selector, meant };
      const end = correction === undefined ? ` ${got}` : correctionText(correction);
      const message = `must be the address of a ${type} in this stack${end}`;
      this.#findings.push({ ...problem(path, message), correction });
      return undefined;
    }
    const where = script.construct.node.path;
    if (presenceOf(script).instances === 0) {
      this.#report(path, `selects nothing: ${where} has a count of 0 ${got}`);
    } else if (
      key !== undefined &&
      presenceOf(script).condition === "" &&
      presenceOf(script).instances === 1
    ) {
      this.#report(path, `must have no index, unless ${where} has a count or forEach ${got}`);
    } else this.#triggers(script, path);
    return script;
  }

  #triggers({ construct, values }: StackMember, path: Path): void {
    const [start, stop] = [values["runOnStart"] ?? false, values["runOnStop"] ?? false];
    const where = construct.node.path;
    if (start === true && stop === true) {
      this.#report(path, `must run on start or on stop, but ${where} runs on both`);
    }
    if (start === false && stop === false) {
      this.#report(path, `must run on start or on stop, but ${where} does neither`);
    }
  }

  #samePhase(selected: readonly Selected[], declared: unknown): void {
    const known = selected.flatMap((each) => {
      const phase = phaseOf(each.script);
      return phase === undefined ? [] : [{ ...each, phase }];
    });
    const [first] = known;
    const isDeclared = typeof declared === "string" && !isToken(declared);
    const expected = isDeclared ? declared : first?.phase;
    const other = known.find(({ phase }) => phase !== expected);
    if (other === undefined || first === undefined) return;
    const where = other.script.construct.node.path;
    const because = isDeclared
      ? `the rule's phase is ${declared}`
      : `${first.script.construct.node.path} runs on ${first.phase}`;
    this.#report(
      other.path,
      `must run in the same phase: ${where} runs on ${other.phase}, but ${because}`,
    );
  }

  #sameAgent(selected: readonly Selected[]): void {
    const [first, ...others] = selected.flatMap((each) => {
      const agent = agentOfPart(each.script, this.#context)?.address;
      return agent === undefined ? [] : [{ ...each, agent }];
    });
    const other = others.find(({ agent }) => agent !== first?.agent);
    if (first === undefined || other === undefined) return;
    const [one, two] = [first, other].map(
      ({ script, agent }) => `${script.construct.node.path} of ${agent}`,
    );
    this.#report(
      other.path,
      `must be a script of the same agent: the rule selects ${one} and ${two}`,
    );
  }

  #report(path: Path, message: string): void {
    this.#findings.push(problem(path, message));
  }
}

/** The phase of a script that runs in exactly one. */
function phaseOf({ values }: StackMember): "start" | "stop" | undefined {
  const [start, stop] = [values["runOnStart"] ?? false, values["runOnStop"] ?? false];
  if (start === true && stop === false) return "start";
  return start === false && stop === true ? "stop" : undefined;
}
