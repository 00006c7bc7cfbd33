import { UNKNOWN } from "../../../../src/core/schema";
import { anyUuid, noBuild } from "../environment";
import type { Kinds, Noun } from "../../../accept/noun";
import { rowsByKind, rowsOn } from "../../../accept/row";

const base = { tags: { zone: "eu" } };
const inputs: Kinds = { tags: "map" };
const outputs: Kinds = { id: "string" };

const { accepts, build } = rowsOn(base);

/** The spec's getWorkspaceTags. */
export const dataWorkspaceTags: Noun = {
  kind: "data source",
  typeName: "workspace_workspace_tags",
  construct: "workspace.DataWorkspaceTags",
  base,
  inputs,
  outputs,
  wire: {},
  rows: [
    accepts("tags", { tags: { zone: "eu", size: "" } }),
    accepts("an empty map of tags", { tags: {} }),
    accepts("no tags", { tags: undefined }),
    accepts("a tag whose value is unknown", { tags: { zone: UNKNOWN, size: "l" } }),
    ...rowsByKind({ base, inputs, outputs }),
  ],
  builds: [
    build("keeps the tags", {}, noBuild, { outputs: { tags: { zone: "eu" }, id: anyUuid } }),
    build("works without tags", { tags: undefined }, noBuild, {
      outputs: { tags: null, id: anyUuid },
    }),
  ],
  changes: [],
};
