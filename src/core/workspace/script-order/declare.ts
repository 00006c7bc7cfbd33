import {
  block,
  computed,
  dataSource,
  enumMeanings,
  enumValues,
  optional,
  optionalComputed,
  required,
  stringRule,
  t,
  type ResourceRule,
} from "../../schema";

/** Which end of the earlier scripts lets the later ones start. */
export const scriptRequirements = {
  success: "skips the later scripts if an earlier one fails, times out or is skipped",
  completion: "runs the later scripts when the earlier ones have ended, even if they failed",
} as const;

/** When scripts run. */
export const scriptPhases = {
  start: "when the workspace starts",
  stop: "before the workspace stops",
} as const;

const selectors = t.list(
  t.string(
    stringRule([
      [
        /^(?:module\.[\w-]+|[a-z]+_script\.[\w-]+(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?)$/,
        "must be the address of a script or a module in the same module, such as workspace_script.build or module.tools",
      ],
    ]),
  ),
);

const selectsScripts: ResourceRule<"run" | "after"> = {
  code: "MISSING",
  severity: "error",
  inputs: ["run", "after"],
  doc: (label) => `\`${label("run")}\` and \`${label("after")}\` must not be empty`,
  broken: (values) =>
    (["run", "after"] as const).flatMap((name) => {
      const given = values[name];
      return Array.isArray(given) && given.length === 0
        ? [{ name, message: "must not be empty" }]
        : [];
    }),
};

/** The order in which an agent runs its scripts. */
export const scriptOrder = dataSource("workspace_script_order", {
  doc:
    "The order in which an agent runs its scripts. Without one, they run at the same time. All rules of a template " +
    "apply together. Needs version 2.39 of the platform: older ones ignore it.",
  attributes: {
    id: computed(t.string(), { doc: "ID of the data source, derived from the rules." }),
  },
  blocks: {
    rules: block.list(
      {
        attributes: {
          run: required(selectors, {
            doc:
              "Addresses of the scripts that wait, or of modules, for all scripts in them: `workspace_script.build`, " +
              "`workspace_script.build[0]`, `module.tools`. They are in the module that declares the rule.",
          }),
          after: required(selectors, {
            doc: "Addresses of the scripts that must have ended before, or of modules.",
          }),
          requires: optionalComputed(t.oneOf(enumValues(scriptRequirements)), {
            doc: `Which end of the earlier scripts lets the later ones start: ${enumMeanings(scriptRequirements)}`,
            default: "success",
          }),
          phase: optional(t.oneOf(enumValues(scriptPhases)), {
            doc:
              `When the scripts of the rule run: ${enumMeanings(scriptPhases)} Needed only if all scripts are in ` +
              "modules that have scripts of both kinds. By default that of the selected scripts.",
          }),
        },
        rules: [selectsScripts],
      },
      { doc: "A rule: which scripts wait for which.", wire: "rule", min: 1 },
    ),
  },
});
