import { parameterBuilds } from "./table-builds";
import { parameterRows } from "./table-rows";
import type { Kinds, Noun } from "../../../accept/noun";
import { rowsByKind } from "../../../accept/row";

const base = { name: "region" };

const inputs: Kinds = {
  name: "string",
  default: "string",
  description: "string",
  displayName: "string",
  ephemeral: "bool",
  formType: "enum",
  icon: "string",
  mutable: "bool",
  options: { blocks: { name: "string", value: "string", description: "string", icon: "string" } },
  order: "number",
  styling: "string",
  type: "enum",
  validation: {
    block: {
      min: "number",
      max: "number",
      monotonic: "enum",
      regex: "string",
      error: "string",
    },
  },
};

const outputs: Kinds = { id: "string", optional: "bool", value: "string" };

/** The spec's getParameter. */
export const dataParameter: Noun = {
  kind: "data source",
  typeName: "workspace_parameter",
  construct: "workspace.DataParameter",
  base,
  inputs,
  outputs,
  wire: { options: "option" },
  rows: [
    ...parameterRows,
    ...rowsByKind({
      base: { ...base, type: "number" },
      inputs,
      outputs,
      required: ["name"],
      samples: { options: { name: "one", value: "1" }, validation: {} },
      natural: ["default", "options.value"],
    }),
  ],
  builds: parameterBuilds,
  changes: [],
};
