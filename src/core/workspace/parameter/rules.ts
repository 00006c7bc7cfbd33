import { TerraformDataSource, TerraformModule } from "cdktf";
import { isRecord, propertiesOf, type Properties } from "../../json/plain-json";
import { contentOf, textsIn } from "../template/module-content";
import {
  isToken,
  literalText,
  literalValues,
  type StackContext,
  type StackFinding,
  type StackMember,
} from "../../construct";
import { UNKNOWN, type Finding, display, didYouMean, knownElements, warning } from "../../schema";
import { coderSeverity, isOurs, olderPlatform, refusal } from "../template/platform-facts";
import { type PlatformRuleName, withVersion } from "../product/platform-versions";
import { presenceOf, uniqueValues } from "../template/presence";
import { isOf, siblingType } from "../template/terraform-type";
import { knownDefinition, type ParameterRules } from "./known-definition";
import { valueProblem } from "./value-problem";

/** Requires unique names, because the platform passes values by name. */
export const uniqueParameterNames = uniqueValues({
  part: "parameter",
  attribute: "name",
  where: "in the template",
});

const idle = warning(
  "parameter-idle-monotonic",
  "`monotonic` has no effect on a parameter whose value cannot be changed",
);
const unknownName = warning(
  "preset-unknown-parameter",
  "a preset has a value for a parameter that the stack does not have",
);
const refusedValue = warning(
  "preset-refused-value",
  "a preset has a value that its parameter refuses, and the platform accepts the template nevertheless",
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
  const inModules = new Set<string>();
  for (const member of members) {
    const content = contentOf(member.construct);
    if (content === undefined) continue;
    const type = siblingType(member, "workspace_parameter");
    const variables = propertiesOf(member.values["variables"]);
    for (const { text } of textsIn(content, type, "name", variables)) {
      if (text === undefined) hasOpenName = true;
      else inModules.add(text);
    }
  }
  for (const preset of presets) {
    const { construct, values } = preset;
    const given = values["parameters"];
    if (!isMap(given)) continue;
    const refusedBy = refusalOfPreset(preset, context);
    for (const [name, value] of Object.entries(given)) {
      if (isToken(name) || inModules.has(name)) continue;
      const known = parameters.get(name);
      if (known !== undefined) {
        const isOnlyAdvice = refusedBy === undefined && !isOurs(construct);
        for (const finding of problems(name, value, known, isOnlyAdvice)) {
          yield { construct, finding };
        }
      } else if (!hasOpenName && !hasOthers(preset, declared, context)) {
        const others = [...parameters.keys(), ...inModules];
        yield { construct, finding: unknownParameter(construct, name, others, refusedBy) };
      }
    }
  }
}

/** Returns the rule because of which the platform refuses a template with this preset, if its values are wrong. */
function refusalOfPreset(
  { values }: StackMember,
  context: StackContext,
): PlatformRuleName | undefined {
  if (olderPlatform(context, "presets") !== undefined) return undefined;
  if (olderPlatform(context, "prebuiltPresets") !== undefined) return "presets";
  return hasPrebuilds(values["prebuilds"]) ? "prebuiltPresets" : undefined;
}

function unknownParameter(
  construct: StackMember["construct"],
  name: string,
  known: readonly string[],
  refusedBy: PlatformRuleName | undefined,
): Finding {
  const effect =
    refusedBy === undefined
      ? "so the platform ignores the value"
      : "so the platform refuses the template";
  const message = `is not a parameter of this stack, ${effect}${didYouMean(name, known)}`;
  const severity =
    refusedBy === undefined ? unknownName : coderSeverity(construct, unknownName, refusedBy);
  return severity.at(["parameters", name], message);
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
  isOnlyAdvice: boolean,
): Generator<Finding> {
  if (isEphemeral) {
    const message = `is used only for the first build: the parameter at ${path} is ephemeral`;
    yield ephemeral.at(["parameters", name], message);
  }
  if (isConditional || rules === undefined || typeof value !== "string" || isToken(value)) return;
  const problem = valueProblem(rules, literalText(value))?.message;
  if (problem === undefined) return;
  const effect = isOnlyAdvice
    ? ": the platform accepts the template, but refuses each workspace with this preset"
    : "";
  const message = `${problem}, as required by the parameter at ${path} (got ${display(value)})${effect}`;
  yield isOnlyAdvice
    ? refusedValue.at(["parameters", name], withVersion(message, "prebuiltPresets"))
    : refusal.at(["parameters", name], message);
}

/** Checks whether the template may have parameters that were not created with `DataParameter`. */
function hasOthers(
  preset: StackMember,
  declared: readonly StackMember[],
  context: StackContext,
): boolean {
  const type = siblingType(preset, "workspace_parameter");
  const known = new Set<unknown>(declared.map(({ construct }) => construct.resource));
  return context
    .references()
    .elements.some(
      ({ element }) =>
        (element instanceof TerraformModule && !isWholeModule(element)) ||
        (TerraformDataSource.isTerraformDataSource(element) &&
          element.terraformResourceType === type &&
          !known.has(element)),
    );
}

function isWholeModule(module: TerraformModule): boolean {
  const content = contentOf(module);
  return content?.calls.length === 0 && content.isCertain;
}

const isMap = (value: unknown): value is Properties => isRecord(value) && !isToken(value);

/**
 * Requires that a preset with prebuilds sets all required parameters, because a prebuild has no user input.
 */
export function* prebuildParameters(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  const presets = members.filter(
    (member) =>
      isOf(member, "workspace_workspace_preset") &&
      knownElements(member.values["prebuilds"]).length > 0,
  );
  if (presets.length === 0) return;
  const needed = members.filter(isNeeded).map(({ values }) => String(values["name"]));
  if (needed.length === 0) return;
  const isOlder = olderPlatform(context, "prebuiltPresets") !== undefined;
  for (const { construct, values } of presets) {
    const given = values["parameters"] ?? {};
    if (typeof given !== "object" || isToken(given) || Object.keys(given).some(isToken)) continue;
    const missing = needed.filter((name) => !Object.hasOwn(given, name));
    if (missing.length === 0) continue;
    const isRefused = !isOlder && hasPrebuilds(values["prebuilds"]);
    const names = missing.map((name) => JSON.stringify(name)).join(", ");
    yield {
      construct,
      finding: (isRefused
        ? coderSeverity(construct, lacksValues, "prebuiltPresets")
        : lacksValues
      ).at(
        ["prebuilds"],
        `needs values for all parameters without a default, because there is no user input for a prebuild: set ${names}`,
      ),
    };
  }
}

/** Checks whether a preset has prebuilds outside of schedules. Those of schedules are not checked. */
function hasPrebuilds(prebuilds: unknown): boolean {
  return knownElements(prebuilds).some(([, { instances }]) => Number(instances) > 0);
}

function isNeeded(member: StackMember): boolean {
  const { values } = member;
  if (!isOf(member, "workspace_parameter") || (values["default"] ?? null) !== null) return false;
  const { name } = values;
  if (typeof name !== "string" || isToken(name)) return false;
  const { instances, condition } = presenceOf(member);
  return condition === "" && instances !== 0;
}
