import { TerraformResource } from "cdktf";
import {
  withExpressions,
  type StackContext,
  type StackFinding,
  type StackMember,
} from "../../construct";
import { isPlainObject, ownValue } from "../../json/plain-json";
import { didYouMean, type Breach, type FindingCode, type ResourceRule } from "../../schema";
import { isDecimalNumber } from "../parameter/value-text";
import { asOf, otherVersion, type ModuleContent } from "../template/module-content";
import { prefixOf } from "../template/terraform-type";

type IsUnknown = (value: unknown) => boolean;

/** Checks a call against the variables that its module has. */
export function variableRules(content: ModuleContent): readonly ResourceRule[] {
  const { variables, isCertain } = content;
  const names = [...variables.keys()];
  const version = asOf(content);
  const rule = (
    code: FindingCode,
    doc: string,
    broken: (given: Record<string, unknown>, isUnknown: IsUnknown) => readonly Breach[],
  ): ResourceRule => ({
    ...(isCertain
      ? { code, severity: "error" }
      : { code: "ADVICE", severity: "warning", warning: otherVersion.code }),
    inputs: ["variables"],
    doc: () => doc,
    broken: (values, _label, isUnknown) => {
      const { agentId } = values;
      const given = { ...(isPlainObject(values["variables"]) ? values["variables"] : {}) };
      if (agentId !== undefined && agentId !== null) given["agent_id"] = agentId;
      return broken(given, isUnknown);
    },
  });
  return [
    rule("UNKNOWN_PROPERTY", "the module has the variables", (given) =>
      Object.keys(given)
        .filter((name) => !variables.has(name))
        .map((name) =>
          breach(name, `is not a variable of the module${version}${didYouMean(name, names)}`),
        ),
    ),
    rule("MISSING", "the variables without a default are set", (given) =>
      names
        .filter(
          (name) => variables.get(name)?.isRequired === true && ownValue(given, name) === undefined,
        )
        .map((name) => breach(name, `must be set: the module has no default for it${version}`)),
    ),
    rule("WRONG_TYPE", "the values have the types of the variables", (given, isUnknown) =>
      Object.entries(given).flatMap(([name, value]) => {
        if (value === undefined || value === null || isUnknown(value)) return [];
        const type = ownValue(types, variables.get(name)?.kind ?? "");
        return type === undefined || type.accepts(value)
          ? []
          : [breach(name, type.message + version)];
      }),
    ),
  ];
}

const breach = (name: string, message: string): Breach =>
  name === "agent_id" ? { name: "agentId", message } : { name: "variables", path: [name], message };

interface VariableType {
  readonly message: string;
  readonly accepts: (value: unknown) => boolean;
}

const isPrimitive = (value: unknown): boolean => typeof value !== "object";
const list: VariableType = { message: "must be an array", accepts: Array.isArray };
const map: VariableType = { message: "must be an object", accepts: isPlainObject };

/** What Terraform converts to a type, by the name of the type. */
const types: Readonly<Record<string, VariableType>> = {
  string: { message: "must be a string", accepts: isPrimitive },
  number: {
    message: "must be a number",
    accepts: (value) =>
      typeof value === "number" || (typeof value === "string" && isDecimalNumber(value)),
  },
  bool: {
    message: "must be a boolean",
    accepts: (value) =>
      typeof value === "boolean" ||
      (typeof value === "string" && /^(?:true|false|[01])$/.test(value)),
  },
  list,
  set: list,
  tuple: list,
  map,
  object: map,
};

/** Refuses a reference to an agent with a count but without an index. Terraform refuses it, too, but only in the plan. */
export function* instanceOfAgent(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  for (const member of members) {
    const { construct, values } = member;
    const text = withExpressions(construct, values["agentId"]);
    const [, address = ""] = /^\$\{([\w-]+\.[\w-]+)\.id\}$/.exec(String(text)) ?? [];
    if (!address.startsWith(`${prefixOf(member)}agent.`)) continue;
    const agent = context.references().at(address)?.element;
    if (!TerraformResource.isTerraformResource(agent)) continue;
    const { count, forEach } = agent;
    if (count === undefined && forEach === undefined) continue;
    const [what, index] = forEach === undefined ? ["count", "0"] : ["forEach", '"…"'];
    yield {
      construct,
      finding: {
        code: "INVALID_ARGUMENT",
        severity: "error",
        path: ["agentId"],
        message: `must refer to one instance of ${address}, which has a ${what}: write "\${${address}[${index}].id}"`,
      },
    };
  }
}
