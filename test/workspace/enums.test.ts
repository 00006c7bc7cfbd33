import {
  agentAuths,
  apiKeyScopes,
  architectures,
  operatingSystems,
  startupScriptBehaviors,
} from "../../src/workspace/agent/declare";
import { appOpenIns, appShares } from "../../src/workspace/app/declare";
import {
  monotonics,
  parameterFormTypes,
  parameterTypes,
} from "../../src/workspace/parameter/declare";
import { mergeStrategies } from "../../src/workspace/env/declare";
import { AgentAuth } from "../../src/workspace/agent/enums-auth";
import { ApiKeyScope } from "../../src/workspace/agent/enums-api-key-scope";
import { AppOpenIn } from "../../src/workspace/app/enums-open-in";
import { AppShare } from "../../src/workspace/app/enums-share";
import { Architecture } from "../../src/workspace/agent/enums-architecture";
import { MergeStrategy } from "../../src/workspace/env/enums";
import { Monotonic } from "../../src/workspace/parameter/enums-monotonic";
import { OperatingSystem } from "../../src/workspace/agent/enums-operating-system";
import { ParameterFormType } from "../../src/workspace/parameter/enums-form-type";
import { ParameterType } from "../../src/workspace/parameter/enums-type";
import { StartupScriptBehavior } from "../../src/workspace/agent/enums-startup-script-behavior";

test.each([
  ["AgentAuth", AgentAuth, agentAuths],
  ["ApiKeyScope", ApiKeyScope, apiKeyScopes],
  ["AppOpenIn", AppOpenIn, appOpenIns],
  ["AppShare", AppShare, appShares],
  ["Architecture", Architecture, architectures],
  ["MergeStrategy", MergeStrategy, mergeStrategies],
  ["Monotonic", Monotonic, monotonics],
  ["OperatingSystem", OperatingSystem, operatingSystems],
  ["ParameterFormType", ParameterFormType, parameterFormTypes],
  ["ParameterType", ParameterType, parameterTypes],
  ["StartupScriptBehavior", StartupScriptBehavior, startupScriptBehaviors],
] as const)("%s has every declared word, in the declared order", (_name, words, declared) => {
  expect(Object.values(words)).toEqual(Object.keys(declared));
});
