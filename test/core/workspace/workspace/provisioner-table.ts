import { anyUuid, noBuild } from "../environment";
import type { Kinds, Noun } from "../../../accept/noun";
import { rowsByKind, rowsOn } from "../../../accept/row";

const base = {};
const outputs: Kinds = { arch: "string", id: "string", os: "string" };

const { accepts, build } = rowsOn(base);

/** The spec's getProvisioner. */
export const dataProvisioner: Noun = {
  kind: "data source",
  typeName: "workspace_provisioner",
  construct: "workspace.DataProvisioner",
  base,
  inputs: {},
  outputs,
  wire: {},
  rows: [accepts("nothing", {}), ...rowsByKind({ base, inputs: {}, outputs })],
  builds: [
    build("reports the host's system and architecture with the platform's names", {}, noBuild, {
      outputs: {
        id: anyUuid,
        os: /^(linux|darwin|windows|freebsd)$/,
        arch: /^(amd64|arm64|armv7|386)$/,
      },
    }),
  ],
  changes: [],
};
