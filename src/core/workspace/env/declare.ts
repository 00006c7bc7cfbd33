import {
  computed,
  optional,
  required,
  optionalComputed,
  resource,
  t,
  enumMeanings,
  enumValues,
} from "../../schema";
import { agentId, variableNameRule } from "../grammar/value-rules";

/** How the platform merges a variable that several resources set. */
export const mergeStrategies = {
  replace: "uses the last value",
  append: "adds the value after the existing one, separated by `:`",
  prepend: "adds the value before the existing one, separated by `:`",
  error: "fails the build",
} as const;

export const env = resource("workspace_env", {
  doc: "An environment variable inside the workspace. It cannot overwrite one that the agent's own `env` sets.",
  attributes: {
    agentId,
    name: required(t.string(variableNameRule), { doc: "Name of the variable." }),
    value: optional(t.string(), { doc: "Value of the variable. By default empty." }),
    mergeStrategy: optionalComputed(t.oneOf(enumValues(mergeStrategies)), {
      doc:
        `How the platform merges a variable that several resources set: ${enumMeanings(mergeStrategies)} ` +
        "Resources are processed in the alphabetical order of their addresses.",
      default: "replace",
    }),
    envId: computed(t.string(), {
      doc: "ID of the resource.",
      wire: "id",
      useStateForUnknown: true,
    }),
  },
});
