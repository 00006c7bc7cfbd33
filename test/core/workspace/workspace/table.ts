import type { BuildRow } from "../../../accept/table";
import { anyUuid, noBuild, startBuild, stopBuild, variable } from "../environment";
import type { Kinds, Noun } from "../../../accept/noun";
import { rowsByKind, rowsOn } from "../../../accept/row";

const base = {};

const outputs: Kinds = {
  accessPort: "number",
  accessUrl: "string",
  id: "string",
  isPrebuild: "bool",
  isPrebuildClaim: "bool",
  name: "string",
  prebuildCount: "number",
  startCount: "number",
  templateId: "string",
  templateName: "string",
  templateVersion: "string",
  transition: "string",
};

const { accepts, build } = rowsOn(base);

const inBuild = (name: string, value: string) => ({ ...startBuild, [name]: value });

const addresses: readonly BuildRow[] = (
  [
    ["https://platform.example.org", "https://platform.example.org", 443],
    ["https://platform.example.org/", "https://platform.example.org", 443],
    ["https://platform.example.org/sub/", "https://platform.example.org/sub", 443],
    ["http://platform.example.org", "http://platform.example.org", 80],
    ["http://localhost:3000/", "http://localhost:3000", 3000],
    ["https://[::1]:8443", "https://[::1]:8443", 8443],
  ] as const
).map(([url, accessUrl, accessPort]) =>
  build(`reports the URL ${url}`, {}, noBuild, {
    settings: { url },
    outputs: { accessUrl, accessPort },
  }),
);

const prebuilds: readonly BuildRow[] = [
  build("is an unclaimed prebuild", {}, inBuild(variable.isPrebuild, "true"), {
    outputs: { isPrebuild: true, prebuildCount: 1, isPrebuildClaim: false },
  }),
  build("accepts true in any case", {}, inBuild(variable.isPrebuild, "TRUE"), {
    outputs: { isPrebuild: true },
  }),
  ...["1", "yes", "", "false"].map((value) =>
    build(`treats ${JSON.stringify(value)} as false`, {}, inBuild(variable.isPrebuild, value), {
      outputs: { isPrebuild: false, prebuildCount: 0 },
    }),
  ),
  build(
    "is a claim, not a prebuild, in the first build of an owner",
    {},
    { ...inBuild(variable.isPrebuild, "true"), [variable.isPrebuildClaim]: "true" },
    { outputs: { isPrebuild: false, prebuildCount: 0, isPrebuildClaim: true } },
  ),
];

const builds: readonly BuildRow[] = [
  build("has placeholders outside a build", {}, noBuild, {
    settings: {},
    outputs: {
      accessUrl: "https://workspace.example.com",
      accessPort: 443,
      id: anyUuid,
      isPrebuild: false,
      isPrebuildClaim: false,
      name: "default",
      prebuildCount: 0,
      startCount: 1,
      templateId: "",
      templateName: "",
      templateVersion: "",
      transition: "start",
    },
  }),
  build("reads the build data", {}, startBuild, {
    settings: {},
    outputs: {
      accessUrl: "https://platform.example.org",
      id: startBuild[variable.workspaceId],
      name: "lab",
      startCount: 1,
      templateId: startBuild[variable.templateId],
      templateName: "base",
      templateVersion: "v7",
      transition: "start",
    },
  }),
  build("prefers the setting to the variable", {}, startBuild, {
    settings: { url: "https://other.example.org" },
    outputs: { accessUrl: "https://other.example.org" },
  }),
  build("does not start in a build that stops", {}, stopBuild, {
    outputs: { transition: "stop", startCount: 0 },
  }),
  build("passes another transition through", {}, inBuild(variable.transition, "destroy"), {
    outputs: { transition: "destroy", startCount: 0 },
  }),
  ...[variable.templateId, variable.templateName, variable.templateVersion].map((name) =>
    build(`refuses a build without ${name}`, {}, inBuild(name, ""), { refused: [RegExp(name)] }),
  ),
  ...addresses,
  ...prebuilds,
];

/** The spec's getWorkspace. */
export const dataWorkspace: Noun = {
  kind: "data source",
  typeName: "workspace_workspace",
  construct: "workspace.DataWorkspace",
  base,
  inputs: {},
  outputs,
  wire: {},
  rows: [accepts("nothing", {}), ...rowsByKind({ base, inputs: {}, outputs })],
  builds,
  changes: [],
};
