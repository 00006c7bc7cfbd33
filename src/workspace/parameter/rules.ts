import { TerraformDataSource, TerraformModule } from "cdktf";
import { isRecord, type Properties } from "../../json/plain-json";
import {
  isToken,
  literalText,
  literalValues,
  type StackContext,
  type StackFinding,
  type StackMember,
} from "../../construct";
import { UNKNOWN, type Finding, display, didYouMean, warning } from "../../schema";
import { coderSeverity, olderPlatform } from "../template/platform-facts";
import { presenceOf, uniqueValues } from "../template/presence";
import { previewVersion } from "../template/previewed-values";
import { isOf, siblingType } from "../template/terraform-type";
import { knownDefinition, type ParameterRules } from "./known-definition";
import { valueProblem } from "./value-problem";

/** Requires unique names, because the platform passes values by name. */
export const uniqueParameterNames = uniqueValues({ attribute: "name", where: "in the template" });

const idle = warning(
  "parameter-idle-monotonic",
  "`monotonic` has no effect on a parameter whose value cannot be changed",
);
const unknownName = warning(
  "preset-unknown-parameter",
  "a preset has a value for a parameter that the stack does not have",
);
const ephemeral = warning(
  "preset-ephemeral-parameter",
  "a preset has a value for an ephemeral parameter, which only the first build uses",
);
const lacksValues = warning(
  "preset-prebuild-values",
  "a preset with prebuilds lacks values for parameters without a default",
);

/** Warns of `monotonic` on a parameter whose value cannot change. */
export function* idleMonotonic(members: readonly StackMember[]): Generator<StackFinding> {
  for (const { construct, values } of members) {
    if ((values["mutable"] ?? false) !== false) continue;
    const { validation } = values;
    const block: unknown = Array.isArray(validation) ? validation[0] : validation;
    if (typeof block !== "object" || block === null || !("monotonic" in block)) continue;
    if (typeof block.monotonic !== "string") continue;
    yield {
      construct,
      finding: idle.at(
        ["validation", "monotonic"],
        "has no effect, because the value cannot be changed: make the parameter mutable, or remove monotonic",
      ),
    };
  }
}

interface Parameter {
  readonly path: string;
  readonly rules: ParameterRules | undefined;
  readonly isEphemeral: boolean;
  /** True if some builds do not have it, so that another parameter may use the same name. */
  readonly isConditional: boolean;
}

/** Checks the values of a preset against the parameters of the stack. */
export function* presetValues(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  const presets = members.filter((member) => isOf(member, "workspace_workspace_preset"));
  if (!presets.some(({ values }) => isMap(values["parameters"]))) return;
  const declared = members.filter((member) => isOf(member, "workspace_parameter"));
  const parameters = new Map<string, Parameter>();
  let hasOpenName = false;
  for (const member of declared) {
    const { name } = member.values;
    if (typeof name !== "string" || isToken(name)) hasOpenName = true;
    // A separate rule reports a second parameter with the same name.
    else if (!parameters.has(name)) parameters.set(name, read(member));
  }
  for (const preset of presets) {
    const { construct, values } = preset;
    const given = values["parameters"];
    if (!isMap(given)) continue;
    for (const [name, value] of Object.entries(given)) {
      if (isToken(name)) continue;
      const known = parameters.get(name);
      if (known !== undefined) {
        for (const finding of problems(name, value, known)) yield { construct, finding };
      } else if (!hasOpenName && !hasOthers(preset, declared, context)) {
        yield {
          construct,
          finding: unknownParameter(preset, name, [...parameters.keys()], context),
        };
      }
    }
  }
}

function unknownParameter(
  { construct }: StackMember,
  name: string,
  known: readonly string[],
  context: StackContext,
): Finding {
  const missing = "is not a parameter of this stack";
  const suggestion = didYouMean(name, known);
  const version = olderPlatform(context, previewVersion);
  if (version !== undefined) {
    const message = `${missing}, so version ${version} of the platform ignores it, and version ${previewVersion} refuses the template${suggestion}`;
    return unknownName.at(["parameters", name], message);
  }
  const message = `${missing}, so the platform refuses the template${suggestion}`;
  return coderSeverity(construct, unknownName).at(["parameters", name], message);
}

function read(member: StackMember): Parameter {
  const { construct, values } = member;
  return {
    path: construct.node.path,
    rules: knownDefinition(literalValues(values), (value) => value === UNKNOWN).defaultRules,
    isEphemeral: values["ephemeral"] === true,
    isConditional: presenceOf(member).condition !== "" || presenceOf(member).instances === 0,
  };
}

function* problems(
  name: string,
  value: unknown,
  { path, rules, isEphemeral, isConditional }: Parameter,
): Generator<Finding> {
  if (isEphemeral) {
    const message = `is used only for the first build: the parameter at ${path} is ephemeral`;
    yield ephemeral.at(["parameters", name], message);
  }
  if (isConditional || rules === undefined || typeof value !== "string" || isToken(value)) return;
  const problem = valueProblem(rules, literalText(value));
  if (problem === undefined) return;
  const message = `${problem}, as required by the parameter at ${path} (got ${display(value)})`;
  yield { code: "INVALID_ARGUMENT", severity: "error", path: ["parameters", name], message };
}

/** Checks whether the template may have parameters that were not created with our construct. */
function hasOthers(
  preset: StackMember,
  declared: readonly StackMember[],
  context: StackContext,
): boolean {
  const type = siblingType(preset, "workspace_parameter");
  const ours = new Set<unknown>(declared.map(({ construct }) => construct.resource));
  return context
    .references()
    .elements.some(
      ({ element }) =>
        element instanceof TerraformModule ||
        (TerraformDataSource.isTerraformDataSource(element) &&
          element.terraformResourceType === type &&
          !ours.has(element)),
    );
}

const isMap = (value: unknown): value is Properties => isRecord(value) && !isToken(value);

/**
 * Requires that a preset with prebuilds sets all required parameters, because a prebuild has no user input.
 */
export function* prebuildParameters(members: readonly StackMember[]): Generator<StackFinding> {
  const presets = members.filter(
    (member) =>
      isOf(member, "workspace_workspace_preset") && hasPrebuilds(member.values["prebuilds"]),
  );
  if (presets.length === 0) return;
  const needed = members.filter(isNeeded).map(({ values }) => String(values["name"]));
  if (needed.length === 0) return;
  for (const { construct, values } of presets) {
    const given = values["parameters"] ?? {};
    if (typeof given !== "object" || isToken(given) || Object.keys(given).some(isToken)) continue;
    const missing = needed.filter((name) => !Object.hasOwn(given, name));
    if (missing.length === 0) continue;
    const names = missing.map((name) => JSON.stringify(name)).join(", ");
    yield {
      construct,
      finding: lacksValues.at(
        ["prebuilds"],
        `needs values for all parameters without a default, because there is no user input for a prebuild: set ${names}`,
      ),
    };
  }
}

function hasPrebuilds(prebuilds: unknown): boolean {
  if (typeof prebuilds !== "object" || prebuilds === null || isToken(prebuilds)) return false;
  return !Array.isArray(prebuilds) || prebuilds.length > 0;
}

function isNeeded(member: StackMember): boolean {
  const { values } = member;
  if (!isOf(member, "workspace_parameter") || (values["default"] ?? null) !== null) return false;
  const { name } = values;
  if (typeof name !== "string" || isToken(name)) return false;
  const { instances, condition } = presenceOf(member);
  return condition === "" && instances !== 0;
}
