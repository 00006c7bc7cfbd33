import { isToken, type StackContext, type StackFinding, type StackMember } from "../../construct";
import { type Finding, warning } from "../../schema";
import { agentOfPart } from "../template/agent-parts";
import { type Presence, presenceOf } from "../template/presence";
import { isOf } from "../template/terraform-type";
import { envClashes, type SetVariable } from "./env-clashes";

const alsoOnAgent = warning(
  "env-also-on-agent",
  "a variable with `append` or `prepend` is also in the `env` of the agent, and is not merged with it",
);
const lost = warning("env-value-lost", "another variable of the same name replaces the value");

interface Variable extends SetVariable {
  readonly member: StackMember;
  readonly presence: Presence;
}

/** Finds variables of an agent that are set more than once. None can replace one in the agent's own `env`. */
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
    const group = groups.get(owner.address) ?? [];
    groups.set(owner.address, group);
    group.push(variable);
  }
  for (const group of groups.values()) yield* clashes(group);
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
  for (const { variable, other, isRefused } of envClashes(group, mayMeet)) {
    const { construct } = variable.member;
    const { path } = other.member.construct.node;
    const got = `(got ${JSON.stringify(variable.name)})`;
    if (isRefused) {
      const message = `must be set only once for the agent with this mergeStrategy, but ${path} also sets it ${got}`;
      yield {
        construct,
        finding: { code: "DUPLICATE", severity: "error", path: ["name"], message },
      };
    } else {
      const message = `is lost: ${path} also sets it for the agent and replaces this value, because ${other.address} is processed after ${variable.address} ${got}`;
      yield { construct, finding: lost.at(["name"], message) };
    }
  }
}

function mayMeet({ presence: one }: Variable, { presence: other }: Variable): boolean {
  return one.condition === "" || other.condition === "" || one.condition === other.condition;
}
