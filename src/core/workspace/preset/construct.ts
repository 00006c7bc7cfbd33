import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import {
  DataWorkspaceWorkspacePreset,
  type DataWorkspaceWorkspacePresetConfig,
} from "../../../../bindings/providers/workspace/data-workspace-workspace-preset";
import {
  isToken,
  ValidationError,
  type BindingConfig,
  type StackFinding,
  type StackMember,
} from "../../construct";
import { blockValue, blockValues } from "../../construct/token/block-value";
import { type Finding, display } from "../../schema";
import type { DataParameter } from "../parameter/construct";
import type { ParameterType } from "../parameter/generated";
import { presetValues, prebuildParameters } from "../parameter/rules";
import { parameterString, type ParameterValue } from "../parameter/props";
import { workspacePreset } from "./declare";
import { claimedValues } from "../template/claimed-values";
import { previewedValues } from "../template/previewed-values";
import {
  DataWorkspacePresetBase,
  type DataWorkspacePresetProps,
  type PresetExpirationPolicy,
} from "./generated";
import { presenceOf, Taken, uniqueValues } from "../template/presence";

/** Requires unique names, because users choose presets by name. */
export const uniquePresetNames = uniqueValues({
  part: "workspace_preset",
  attribute: "name",
  where: "in the template",
});

/** Allows only one preselected preset. */
export function* oneDefaultPreset(members: readonly StackMember[]): Generator<StackFinding> {
  const taken = new Taken();
  for (const member of members) {
    if (member.values["default"] !== true) continue;
    const { construct } = member;
    const presence = presenceOf(member);
    const earlier = taken.take("default", presence, construct.node.path);
    const other = earlier ?? ((presence.instances ?? 1) > 1 ? "another instance" : undefined);
    if (other === undefined) continue;
    yield {
      construct,
      finding: {
        code: "DUPLICATE",
        severity: "error",
        path: ["default"],
        message: `must be true for only one preset, but is already true for ${other}`,
      },
    };
  }
}

/** The prebuild settings of a preset, as tokens. */
export interface PresetPrebuildsValues {
  readonly instances: number;
  readonly expirationPolicy: PresetExpirationPolicy;
  readonly scheduling: { readonly timezone: string; readonly schedules: IResolvable };
}

/** A named set of parameter values that users can choose, with optional prebuilt workspaces. */
export class DataWorkspacePreset extends DataWorkspacePresetBase<DataWorkspacePresetProps> {
  protected static override readonly stackRules = [
    oneDefaultPreset,
    uniquePresetNames,
    presetValues,
    prebuildParameters,
    claimedValues,
    previewedValues,
  ];

  constructor(scope: Construct, id: string, props: DataWorkspacePresetProps) {
    super(scope, id, workspacePreset, props, (parent, childId, config) => {
      return new DataWorkspaceWorkspacePreset(parent, childId, presetConfig(config));
    });
  }

  /**
   * Sets the value that a parameter has in this preset: a string, or the JavaScript value of the
   * parameter's type.
   *
   * @throws ValidationError if the preset already sets the parameter, or if the parameter's own
   * definition refuses the value
   */
  set<T extends ParameterType>(parameter: DataParameter<T>, value: ParameterValue<T>): this {
    const name = parameter.resource.nameInput ?? parameter.name;
    const given = this.resource.parametersInput ?? {};
    const finding = isToken(given) ? addedToToken : problem(name, value, given, parameter);
    if (finding !== undefined) {
      const label = { type: "workspace.DataWorkspacePreset", path: this.node.path };
      // eslint-disable-next-line @typescript-eslint/unbound-method -- names the frame, is not called
      throw new ValidationError(label, [finding], this.set);
    }
    this.resource.parameters = { ...given, [name]: parameterString(value) };
    return this;
  }

  /** Prebuilt workspaces. Unset values are null. */
  get prebuilds(): PresetPrebuildsValues {
    const value = (name: string) => blockValue(this.resource, `prebuilds[*].${name}`);
    return {
      instances: Token.asNumber(value("instances")),
      expirationPolicy: { ttl: Token.asNumber(value("expiration_policy[*].ttl")) },
      scheduling: {
        timezone: Token.asString(value("scheduling[*].timezone")),
        schedules: blockValues(this.resource, "prebuilds[*].scheduling[*].schedule"),
      },
    };
  }
}

const addedToToken: Finding = {
  code: "TOKEN_MISUSE",
  severity: "error",
  path: ["parameters"],
  message:
    "must not be a token when a value is added: set parameters to Fn.merge([map, { … }]) instead",
};

function problem<T extends ParameterType>(
  name: string,
  value: ParameterValue<T>,
  given: Readonly<Record<string, string>>,
  parameter: DataParameter<T>,
): Finding | undefined {
  const finding = { severity: "error", path: ["parameters", name] } as const;
  const got = `(got ${shown(value)})`;
  if (Object.hasOwn(given, name)) {
    const message = `must be set only once, but is already ${shown(given[name])} ${got}`;
    return { ...finding, code: "CONFLICT", message };
  }
  const refusal = parameter.refusal(value);
  if (refusal === undefined) return undefined;
  const message = `is refused by the parameter ${parameter.node.path} ${got}: ${refusal}`;
  return { ...finding, code: "INVALID_ARGUMENT", message };
}

const shown = (value: unknown): string => (isToken(value) ? "a token" : display(value));

function presetConfig({
  prebuilds,
  ...config
}: BindingConfig<DataWorkspacePresetProps>): DataWorkspaceWorkspacePresetConfig {
  if (prebuilds === undefined) return config;
  const { scheduling, ...own } = prebuilds;
  if (scheduling === undefined) return { ...config, prebuilds: own };
  const { schedules, timezone } = scheduling;
  return { ...config, prebuilds: { ...own, scheduling: { timezone, schedule: schedules } } };
}
