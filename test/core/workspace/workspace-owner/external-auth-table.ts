import { noBuild, startBuild, stopBuild, variable } from "../environment";
import type { Kinds, Noun } from "../../../accept/noun";
import { invalid, rowsByKind, rowsOn } from "../../../accept/row";

const base = { id: "git-host" };
const inputs: Kinds = { id: "string", optional: "bool" };
const outputs: Kinds = { accessToken: "string" };

const { accepts, refuses, build } = rowsOn(base);

const token = { [variable.externalAuthToken("git-host")]: "secret-token" };

/** The spec's getExternalAuth. */
export const dataExternalAuth: Noun = {
  kind: "data source",
  typeName: "workspace_external_auth",
  construct: "workspace.DataExternalAuth",
  base,
  inputs,
  outputs,
  wire: {},
  rows: [
    accepts("one that is optional", { optional: true }),
    accepts("one that is not optional", { optional: false }),
    refuses("an empty id", { id: "" }, invalid("id")),
    refuses("a blank id", { id: " " }, invalid("id")),
    ...rowsByKind({ base, inputs, outputs, required: ["id"] }),
  ],
  builds: [
    build(
      "reads the token",
      {},
      { ...startBuild, ...token },
      {
        outputs: { id: "git-host", optional: null, accessToken: "secret-token" },
      },
    ),
    build("returns no token outside a build", {}, noBuild, { outputs: { accessToken: "" } }),
    build("warns of a token that is missing in a build that starts", {}, startBuild, {
      outputs: { accessToken: "" },
      warnings: [/git-host/],
    }),
    build("needs no optional token", { optional: true }, startBuild, {
      outputs: { optional: true, accessToken: "" },
    }),
    build("needs no token in a build that stops", {}, stopBuild, {
      outputs: { accessToken: "" },
    }),
    build(
      "uses no token of another service",
      { id: "git" },
      { ...noBuild, ...token },
      {
        outputs: { accessToken: "" },
      },
    ),
  ],
  changes: [],
};
