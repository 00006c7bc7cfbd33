import {
  agentAuths,
  apiKeyScopes,
  architectures,
  operatingSystems,
  startupScriptBehaviors,
} from "../../../src/core/workspace/agent/declare";
import {
  AgentAuth,
  ApiKeyScope,
  Architecture,
  OperatingSystem,
  StartupScriptBehavior,
} from "../../../src/core/workspace/agent/generated";
import { appOpenIns, appShares } from "../../../src/core/workspace/app/declare";
import { AppOpenIn, AppShare } from "../../../src/core/workspace/app/generated";
import { mergeStrategies } from "../../../src/core/workspace/env/declare";
import { MergeStrategy } from "../../../src/core/workspace/env/generated";
import {
  monotonics,
  parameterFormTypes,
  parameterTypes,
} from "../../../src/core/workspace/parameter/declare";
import {
  ParameterFormType,
  Monotonic,
  ParameterType,
} from "../../../src/core/workspace/parameter/generated";
import { scriptPhases, scriptRequirements } from "../../../src/core/workspace/script-order/declare";
import { ScriptPhase, ScriptRequirement } from "../../../src/core/workspace/script-order/generated";

test.each([
  ["AgentAuth", AgentAuth, agentAuths],
  ["ApiKeyScope", ApiKeyScope, apiKeyScopes],
  ["AppOpenIn", AppOpenIn, appOpenIns],
  ["AppShare", AppShare, appShares],
  ["Architecture", Architecture, architectures],
  ["MergeStrategy", MergeStrategy, mergeStrategies],
  ["ScriptPhase", ScriptPhase, scriptPhases],
  ["ScriptRequirement", ScriptRequirement, scriptRequirements],
  ["Monotonic", Monotonic, monotonics],
  ["OperatingSystem", OperatingSystem, operatingSystems],
  ["ParameterFormType", ParameterFormType, parameterFormTypes],
  ["ParameterType", ParameterType, parameterTypes],
  ["StartupScriptBehavior", StartupScriptBehavior, startupScriptBehaviors],
] as const)("%s has every declared value, in the declared order", (_name, values, declared) => {
  expect(Object.values(values)).toEqual(Object.keys(declared));
});
