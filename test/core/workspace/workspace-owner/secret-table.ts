import type { AcceptanceRow, BuildRow } from "../../../accept/table";
import { noBuild, startBuild, stopBuild, variable } from "../environment";
import type { Kinds, Noun } from "../../../accept/noun";
import { conflict, invalid, rowsByKind, rowsOn } from "../../../accept/row";

const base = { env: "GIT_TOKEN", helpMessage: "Store a token of the 100% safe kind" };
const inputs: Kinds = { env: "string", file: "string", helpMessage: "string" };
const outputs: Kinds = { id: "string", value: "string" };

const { accepts, refuses, build } = rowsOn(base);

const inFile = (file: unknown): object => ({ env: undefined, file });

const rows: readonly AcceptanceRow[] = [
  ...["A", "_", "_a1", "path"].map((env) => accepts(`the env ${env}`, { env })),
  ...["", "1A", "A-B", "A B", "A=B", "Ä", "A\n"].map((env) =>
    refuses(`the env ${JSON.stringify(env)}`, { env }, invalid("env")),
  ),
  ...["/", "~/", "/etc/token", "~/.ssh/id"].map((file) =>
    accepts(`the file ${file}`, inFile(file)),
  ),
  ...["", "~", "~x/token", "token", "./token", "C:/token"].map((file) =>
    refuses(`the file ${JSON.stringify(file)}`, inFile(file), invalid("file")),
  ),
  accepts("an empty helpMessage", { helpMessage: "" }),
  refuses("both env and file", { file: "/token" }, conflict("file")),
  refuses("neither env nor file", { env: undefined }, conflict("env")),
];

const stored = { [variable.secretByEnv("GIT_TOKEN")]: "s3cret" };
const storedFile = { [variable.secretByFile("~/.token")]: "s3cret" };
const emptied = { [variable.secretByEnv("GIT_TOKEN")]: "" };
const startByDefault = Object.fromEntries(
  Object.entries(startBuild).filter(([name]) => name !== variable.transition),
);
const inStart = [/GIT_TOKEN/, /Store a token of the 100% safe kind/];

const builds: readonly BuildRow[] = [
  build(
    "reads a secret by variable",
    {},
    { ...startBuild, ...stored },
    {
      outputs: { value: "s3cret", id: "env:GIT_TOKEN" },
    },
  ),
  build(
    "reads a secret by file",
    inFile("~/.token"),
    { ...startBuild, ...storedFile },
    {
      outputs: { value: "s3cret", id: "file:~/.token" },
    },
  ),
  build("refuses a missing secret in a build that starts", {}, startBuild, { refused: inStart }),
  build(
    "treats an empty secret as missing",
    {},
    { ...startBuild, ...emptied },
    {
      refused: inStart,
    },
  ),
  build("treats a build without a transition as a start", {}, startByDefault, {
    refused: inStart,
  }),
  build("refuses a missing file", inFile("~/.token"), startBuild, { refused: [/~\/\.token/] }),
  build("needs no secret in a build that stops", {}, stopBuild, { outputs: { value: "" } }),
  build(
    "needs no secret in a prebuild, which has no owner yet",
    {},
    { ...startBuild, [variable.isPrebuild]: "true" },
    { outputs: { value: "" } },
  ),
  build("needs no secret outside a build", {}, noBuild, { outputs: { value: "" } }),
];

/** The spec's getSecret: "Exactly one of env or file must be set." */
export const dataSecret: Noun = {
  kind: "data source",
  typeName: "workspace_secret",
  construct: "workspace.DataSecret",
  base,
  inputs,
  outputs,
  wire: {},
  rows: [
    ...rows,
    ...rowsByKind({
      base,
      inputs,
      outputs,
      required: ["helpMessage"],
      beside: { file: { env: undefined } },
    }),
  ],
  builds,
  changes: [],
};
