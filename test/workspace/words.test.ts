import {
  agentAuths,
  apiKeyScopes,
  architectures,
  operatingSystems,
  startupScriptBehaviors,
} from "../../src/workspace/declare/agent";
import { appOpenIns, appShares } from "../../src/workspace/declare/app";
import {
  monotonics,
  parameterFormTypes,
  parameterTypes,
} from "../../src/workspace/declare/data-parameter";
import { mergeStrategies } from "../../src/workspace/declare/env";
import { AgentAuth } from "../../src/workspace/words/agent-auth";
import { ApiKeyScope } from "../../src/workspace/words/api-key-scope";
import { AppOpenIn } from "../../src/workspace/words/app-open-in";
import { AppShare } from "../../src/workspace/words/app-share";
import { Architecture } from "../../src/workspace/words/architecture";
import { MergeStrategy } from "../../src/workspace/words/merge-strategy";
import { Monotonic } from "../../src/workspace/words/monotonic";
import { OperatingSystem } from "../../src/workspace/words/operating-system";
import { ParameterFormType } from "../../src/workspace/words/parameter-form-type";
import { ParameterType } from "../../src/workspace/words/parameter-type";
import { StartupScriptBehavior } from "../../src/workspace/words/startup-script-behavior";

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
