import { noBuild, startBuild } from "../environment";
import type { Kinds, Noun } from "../../../accept/noun";
import { invalid, rowsByKind, rowsOn } from "../../../accept/row";

const base = {};
const inputs: Kinds = { url: "string" };

const { accepts, refuses, build } = rowsOn(base);

const withoutUrl = Object.fromEntries(
  Object.entries(startBuild).filter(([, value]) => !value.startsWith("https:")),
);

/** "The provider has one configuration setting: url." */
export const provider: Noun = {
  kind: "provider",
  typeName: "workspace",
  construct: "workspace.WorkspaceProvider",
  base,
  inputs,
  outputs: {},
  wire: {},
  rows: [
    accepts("no url", {}),
    ...[
      "https://platform.example.org",
      "https://platform.example.org/",
      "http://localhost:3000/sub",
      "https://[::1]:8443",
    ].map((url) => accepts(`the url ${url}`, { url })),
    ...[
      "",
      "https://",
      "https://a b.test",
      "https://[::1",
      "https://a.test:port",
      "https://a.test:65536",
      "https://a.test/%zz",
      "ftp://platform.example.org",
      "platform.example.org",
      "https://me:hush@platform.example.org",
      "https://platform.example.org/?a=b",
      "https://platform.example.org/#a",
    ].map((url) => refuses(`the url ${JSON.stringify(url)}`, { url }, invalid("url"))),
    ...rowsByKind({ base, inputs }),
  ],
  builds: [
    build("needs no url outside a build", {}, noBuild, {}),
    build("takes the url of the platform", {}, startBuild, {}),
    build("refuses a build without a url", {}, withoutUrl, { refused: [/TRIVET_AGENT_URL/] }),
  ],
  changes: [],
};
