import { TerraformHclModule } from "cdktf";
import { workspace } from "../../../../src";
import { UNKNOWN } from "../../../../src/core/schema";
import type { Kinds, Noun } from "../../../accept/noun";
import { invalid, missing, onProvider, rowsByKind, rowsOn } from "../../../accept/row";
import { anyUuid, noBuild } from "../environment";

const [one, two] = ["workspace_script.one", "workspace_script.two"];
const first = { run: [two], after: [one] };
const base = { rules: [first] };
const inputs: Kinds = {
  rules: { blocks: { run: "list", after: "list", requires: "enum", phase: "enum" } },
};
const outputs: Kinds = { id: "string" };

const { accepts, refuses, build } = rowsOn(base);

const rule = (changes: Readonly<Record<string, unknown>>) => ({
  rules: [{ ...first, ...changes }],
});

/** coder's data source coder_script_order, of provider 2.20. */
export const dataScriptOrder: Noun = {
  kind: "data source",
  typeName: "workspace_script_order",
  construct: "workspace.DataScriptOrder",
  base,
  inputs,
  outputs,
  wire: { rules: "rule" },
  around(stack) {
    const main = new workspace.Agent(stack, "main", { os: "linux", arch: "amd64" });
    const props = {
      agentId: main.agentId,
      displayName: "Set up",
      script: "make",
      runOnStart: true,
    };
    for (const id of ["one", "two"]) new workspace.Script(stack, id, props);
    new TerraformHclModule(stack, "m", { source: "git::https://example.com/m.git" });
  },
  rows: [
    accepts("a module", rule({ after: ["module.m"] })),
    ...onProvider(
      ["coder_script.a", "workspace_script.a[0]", 'workspace_script.a["x y"]'].map((selector) =>
        accepts(`the selector ${selector}`, rule({ after: [selector] })),
      ),
    ),
    ...[
      "",
      "a",
      "workspace_app.a",
      "module.m[0]",
      "module.m.workspace_script.a",
      "data.workspace_script.a",
    ].map((selector) =>
      refuses(
        `the selector ${JSON.stringify(selector)}`,
        rule({ after: [selector] }),
        invalid("rules", 0, "after", 0),
      ),
    ),
    accepts("selectors that are unknown", rule({ run: UNKNOWN })),
    accepts("several rules", { rules: [first, { run: [one], after: ["module.m"] }] }),
    refuses("a rule without selectors", rule({ run: [] }), missing("rules", 0, "run")),
    ...["success", "completion"].map((requires) => accepts(requires, rule({ requires }))),
    refuses("another requirement", rule({ requires: "failure" }), invalid("rules", 0, "requires")),
    accepts("the phase start", rule({ phase: "start" })),
    ...onProvider([accepts("the phase stop", rule({ phase: "stop" }))]),
    refuses("another phase", rule({ phase: "cron" }), invalid("rules", 0, "phase")),
    ...rowsByKind({ base, inputs, outputs, samples: { rules: first }, required: ["rules"] }),
  ],
  builds: [
    build("fills in the requirement, and has an id", {}, noBuild, {
      outputs: {
        rules: [{ run: [two], after: [one], requires: "success", phase: null }],
        id: anyUuid,
      },
    }),
  ],
  changes: [],
};
