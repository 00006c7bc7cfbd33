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
import { agentId } from "../template/agent-id";
import { variableNameRule } from "../grammar/text";

/** What becomes of a variable that is set more than once. */
export const mergeStrategies = {
  replace: "lets the last one win",
  append: "adds the value behind the existing one, after a `:`",
  prepend: "adds the value before the existing one, before a `:`",
  error: "fails the build",
} as const;

/** An environment variable of an agent. */
export const env = resource("workspace_env", {
  doc: "An environment variable inside the workspace. It cannot overwrite one that the agent's own `env` sets.",
  attributes: {
    agentId,
    name: required(t.string(variableNameRule), { doc: "Name of the variable." }),
    value: optional(t.string(), { doc: "Value of the variable. By default it is empty." }),
    mergeStrategy: optionalComputed(t.oneOf(enumValues(mergeStrategies)), {
      doc:
        `What the platform makes of a variable that several resources set: ${enumMeanings(mergeStrategies)} ` +
        "Resources are taken in the alphabetical order of their addresses.",
      default: "replace",
    }),
    envId: computed(t.string(), {
      doc: "ID of the resource.",
      wire: "id",
      useStateForUnknown: true,
    }),
  },
});
