import type { StackRule } from "../../construct";
import { agentEdge } from "./agent-edge";
import { agentInStack } from "./agent-in-stack";
import { agentNames } from "./agent-names";
import { agentOwner } from "./agent-owner";
import { envNames } from "./env-names";
import { idleMonotonic } from "./idle-monotonic";
import { metadataTarget } from "./metadata-target";
import { oneDefaultPreset } from "./one-default-preset";
import { platformRequirement } from "./platform-requirements";
import { prebuildParameters } from "./prebuild-parameters";
import { presetValues } from "./preset-values";
import { shownSecrets } from "./shown-secrets";
import { tagValues } from "./tag-values";
import { uniqueAppSlugs } from "./unique-app-slugs";
import { uniqueParameterNames } from "./unique-parameter-names";
import { uniquePresetNames } from "./unique-preset-names";

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
