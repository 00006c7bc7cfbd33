import { anyUuid, noBuild } from "../environment";
import type { Kinds, Noun } from "../../../accept/noun";
import { invalid, missing, onConstruct, onProvider, rowsByKind, rowsOn } from "../../../accept/row";

const base = { agentId: "1", name: "EDITOR" };
const inputs: Kinds = {
  agentId: "string",
  name: "string",
  value: "string",
  mergeStrategy: "enum",
};
const outputs: Kinds = { envId: "string" };

const { accepts, refuses, build } = rowsOn(base);

/** The spec's Env. */
export const env: Noun = {
  kind: "resource",
  typeName: "workspace_env",
  construct: "workspace.Env",
  base,
  inputs,
  outputs,
  wire: { envId: "id" },
  rows: [
    ...["A", "_", "_a1", "path", "A".repeat(300)].map((name) =>
      accepts(`a name of ${name.length} characters, ${name.slice(0, 5)}`, { name }),
    ),
    ...["", "1A", "A-B", "A.B", "A B", "A=B", "Ä", "A\n"].map((name) =>
      refuses(`the name ${JSON.stringify(name)}`, { name }, invalid("name")),
    ),
    ...onProvider([refuses("no name", { name: undefined }, missing("name"))]),
    ...onConstruct([accepts("no name, which is its id then", { name: undefined })]),
    accepts("a value", { value: "vi" }),
    accepts("an empty value", { value: "" }),
    ...["replace", "append", "prepend", "error"].map((mergeStrategy) =>
      accepts(`the mergeStrategy ${mergeStrategy}`, { mergeStrategy }),
    ),
    ...["", "Replace", "merge"].map((mergeStrategy) =>
      refuses(
        `the mergeStrategy ${JSON.stringify(mergeStrategy)}`,
        { mergeStrategy },
        invalid("mergeStrategy"),
      ),
    ),
    ...rowsByKind({ base, inputs, outputs, required: ["agentId"] }),
  ],
  builds: [
    build("fills in the default and creates an id", {}, noBuild, {
      outputs: { mergeStrategy: "replace", value: null, envId: anyUuid },
    }),
  ],
  changes: [
    { input: "agentId", from: "1", to: "2", replaces: true },
    { input: "name", from: "A", to: "B", replaces: false },
    { input: "value", from: "a", to: "b", replaces: false },
    { input: "value", from: "a", to: undefined, replaces: false },
    { input: "mergeStrategy", from: "replace", to: "append", replaces: false },
    { input: "mergeStrategy", from: undefined, to: "replace", replaces: false },
  ],
};
