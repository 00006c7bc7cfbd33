import type { StackRule } from "../../construct";
import { agentEdge } from "../template/agent-edge";
import { agentInStack } from "../template/agent-in-stack";
import { agentNames } from "../agent/names";
import { agentOwner } from "../agent/owner";
import { envNames } from "../env/rules";
import { idleMonotonic } from "../parameter/idle-monotonic";
import { metadataTarget } from "../metadata/rules";
import { oneDefaultPreset } from "../preset/one-default-preset";
import { platformRequirement } from "../template/platform-requirements";
import { prebuildParameters } from "../parameter/prebuild-parameters";
import { presetValues } from "../parameter/preset-values";
import { shownSecrets } from "../template/shown-secrets";
import { tagValues } from "../tags/rules";
import { uniqueAppSlugs } from "../app/rules";
import { uniqueParameterNames } from "../parameter/unique-parameter-names";
import { uniquePresetNames } from "../preset/unique-preset-names";

type Rules = readonly StackRule[];

/** The rules across constructs that each type takes part in. */
export const agentRules: Rules = [agentNames, agentOwner, envNames, shownSecrets];
export const agentInstanceRules: Rules = [agentInStack];
export const aiTaskRules: Rules = [platformRequirement];
export const appRules: Rules = [uniqueAppSlugs, agentInStack, agentEdge, platformRequirement];
export const devcontainerRules: Rules = [agentInStack, agentEdge, platformRequirement];
export const envRules: Rules = [agentInStack, agentEdge, envNames];
export const externalAgentRules: Rules = [agentInStack, platformRequirement];
export const metadataRules: Rules = [metadataTarget, shownSecrets, platformRequirement];
export const scriptRules: Rules = [agentInStack, agentEdge];
export const providerRules: Rules = [platformRequirement];

/** Of the data sources. */
export const externalAuthRules: Rules = [shownSecrets];
export const parameterRules: Rules = [
  uniqueParameterNames,
  presetValues,
  prebuildParameters,
  idleMonotonic,
];
export const presetRules: Rules = [
  oneDefaultPreset,
  uniquePresetNames,
  presetValues,
  prebuildParameters,
];
export const secretRules: Rules = [shownSecrets];
export const tagsRules: Rules = [tagValues];
export const taskRules: Rules = [platformRequirement];
export const workspaceOwnerRules: Rules = [shownSecrets];
