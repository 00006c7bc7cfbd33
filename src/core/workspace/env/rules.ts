import { isToken, type StackContext, type StackFinding, type StackMember } from "../../construct";
import { type Finding, warning } from "../../schema";
import { agentOfPart } from "../template/agent-parts";
import { presenceOf, Taken, type Presence } from "../template/presence";
import { isOf } from "../template/terraform-type";

const alsoOnAgent = warning(
  "env-also-on-agent",
  "a variable with `append` or `prepend` is also in the `env` of the agent, and is not merged with it",
);
const lost = warning("env-value-lost", "another variable of the same name replaces the value");

interface Variable {
  readonly member: StackMember;
  readonly address: string;
  readonly name: string;
  readonly strategy: string;
  readonly presence: Presence;
}

/**
 * Finds variables of an agent that are set more than once. The platform processes the resources in the
 * order of their addresses: `replace` discards earlier values, `append` and `prepend` keep them, and
 * `error` allows no other value. None can replace a value in the agent's own `env`.
 */
export function* envNames(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  const variables = members.filter((member) => isOf(member, "workspace_env"));
  if (variables.length === 0) return;
  const graph = context.references();
  const agents = new Map<string, StackMember>();
  for (const member of members) {
    const address = isOf(member, "workspace_agent")
      ? graph.of(member.construct)?.address
      : undefined;
    if (address !== undefined) agents.set(address, member);
  }
  const groups = new Map<string, Variable[]>();
  for (const member of variables) {
    const variable = variableOf(member, graph.of(member.construct)?.address);
    const owner = agentOfPart(member, context);
    if (variable === undefined || owner?.stack !== context.stack) continue;
    const finding = overwriting(variable, agents.get(owner.address));
    if (finding !== undefined) yield { construct: member.construct, finding };
    const key = `${owner.address} ${variable.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [variable]);
    else group.push(variable);
  }
  for (const group of groups.values()) if (group.length > 1) yield* clashes(group);
}

function variableOf(member: StackMember, address: string | undefined): Variable | undefined {
  const { name, mergeStrategy: strategy = "replace" } = member.values;
  const presence = presenceOf(member);
  if (address === undefined || presence.instances === 0) return undefined;
  if (typeof name !== "string" || isToken(name)) return undefined;
  if (typeof strategy !== "string" || isToken(strategy)) return undefined;
  return { member, address, name, strategy, presence };
}

function overwriting(
  { name, strategy }: Variable,
  owner: StackMember | undefined,
): Finding | undefined {
  const own = owner?.values["env"];
  if (typeof own !== "object" || own === null || isToken(own) || !Object.hasOwn(own, name)) {
    return undefined;
  }
  const at = `the env of ${owner?.construct.node.path ?? "the agent"}`;
  const got = `(got ${JSON.stringify(name)})`;
  if (strategy === "append" || strategy === "prepend") {
    return alsoOnAgent.at(
      ["name"],
      `should not be set in ${at} as well: move that value to a separate Env, so that the two are merged ${got}`,
    );
  }
  return {
    code: "CONFLICT",
    severity: "error",
    path: ["name"],
    message: `must not be set in ${at}, which an Env cannot overwrite: remove one of the two ${got}`,
  };
}

function* clashes(group: readonly Variable[]): Generator<StackFinding> {
  const ordered = [...group].sort((a, b) => (a.address < b.address ? 1 : -1));
  const winners = new Taken<Variable>();
  for (const variable of ordered) {
    const { member, address, name, strategy, presence } = variable;
    const { construct } = member;
    const got = `(got ${JSON.stringify(name)})`;
    const winner = winners.holder(name, presence);
    if (strategy === "replace") winners.take(name, presence, variable);
    const other = strategy === "error" ? conflicting(variable, group) : undefined;
    if (other !== undefined) {
      const message = `must be set only once for the agent with this mergeStrategy, but ${other.member.construct.node.path} also sets it ${got}`;
      yield {
        construct,
        finding: { code: "DUPLICATE", severity: "error", path: ["name"], message },
      };
    } else if (winner !== undefined) {
      const message = `is lost: ${winner.member.construct.node.path} also sets it for the agent and replaces this value, because ${winner.address} is processed after ${address} ${got}`;
      yield { construct, finding: lost.at(["name"], message) };
    }
  }
}

function conflicting(
  { presence, member }: Variable,
  group: readonly Variable[],
): Variable | undefined {
  const { condition } = presence;
  return group.find(
    (other) =>
      other.member !== member &&
      (condition === "" ||
        other.presence.condition === "" ||
        other.presence.condition === condition),
  );
}
