import type { BuildRow, ChangeRow } from "../../../accept/table";
import { memory } from "./table-monitoring";
import { load } from "./table-rows";
import { anyUuid, noBuild, startBuild, stopBuild, uuid, variable } from "../environment";
import { rowsOn } from "../../../accept/row";

const { build } = rowsOn({ os: "linux", arch: "amd64" });

const script = variable.agentScript("linux", "amd64");
const placeholders = "${ACCESS_URL}bin ${AUTH_TYPE} ${ACCESS_URL} ${HOME}";

/** What happens to an agent in a build. */
export const agentBuilds: readonly BuildRow[] = [
  build("fills in the defaults", {}, noBuild, {
    outputs: {
      auth: "token",
      apiKeyScope: "all",
      connectionTimeout: 120,
      startupScriptBehavior: "non-blocking",
      initScript: "",
      agentId: anyUuid,
      token: anyUuid,
    },
  }),
  build(
    "creates the init script from the platform's, with the URL and the authentication",
    { auth: "cloudB-instance-identity" },
    { ...startBuild, [script]: placeholders },
    {
      settings: { url: "http://platform.example.org:8080/sub" },
      outputs: {
        initScript:
          "http://platform.example.org:8080/bin cloudB-instance-identity http://platform.example.org:8080/ ${HOME}",
      },
    },
  ),
  build(
    "provides no script for an agent with another system",
    { os: "windows" },
    { ...startBuild, [script]: placeholders },
    { outputs: { initScript: "" } },
  ),
  build(
    "takes the token of the only running agent",
    {},
    { ...startBuild, [variable.runningAgentToken("")]: uuid },
    { outputs: { token: uuid } },
  ),
  build(
    "creates a token when the running one is empty",
    {},
    { ...startBuild, [variable.runningAgentToken("")]: "" },
    { outputs: { token: anyUuid } },
  ),
  build("creates a token in a build that stops", {}, stopBuild, { outputs: { token: anyUuid } }),
  build("has null for the unset attributes of a metadata item", { metadatas: [load] }, noBuild, {
    outputs: { metadatas: [{ ...load, displayName: null, timeout: null, order: null }] },
  }),
  build("has no resourcesMonitoring if none is set", {}, noBuild, {
    outputs: { resourcesMonitoring: [] },
  }),
  build(
    "gives the missing displayApps of a partial block their defaults",
    { displayApps: { editor: false } },
    noBuild,
    {
      outputs: {
        displayApps: [
          {
            editor: false,
            editorInsiders: false,
            webTerminal: true,
            sshHelper: true,
            portForwardingHelper: true,
          },
        ],
      },
    },
  ),
];

/** Everything is updated in place except for the machine and its authentication. */
export const agentChanges: readonly ChangeRow[] = [
  { input: "os", from: "linux", to: "darwin", replaces: true },
  { input: "arch", from: "amd64", to: "arm64", replaces: true },
  { input: "auth", from: "token", to: "cloudA-instance-identity", replaces: true },
  { input: "auth", from: undefined, to: "token", replaces: false },
  { input: "apiKeyScope", from: "all", to: "no_user_data", replaces: false },
  { input: "connectionTimeout", from: undefined, to: 0, replaces: false },
  { input: "connectionTimeout", from: undefined, to: 120, replaces: false },
  { input: "dir", from: "/a", to: "/b", replaces: false },
  { input: "displayApps", from: { editor: true }, to: { editor: false }, replaces: false },
  { input: "displayApps", from: { editor: false }, to: undefined, replaces: false },
  { input: "env", from: { A: "a" }, to: { A: "b" }, replaces: false },
  { input: "metadatas", from: [load], to: [{ ...load, interval: 20 }], replaces: false },
  { input: "metadatas", from: [load], to: [], replaces: false },
  { input: "motdFile", from: "/a", to: undefined, replaces: false },
  { input: "order", from: 1, to: 2, replaces: false },
  {
    input: "resourcesMonitoring",
    from: { memory },
    to: { memory: { ...memory, threshold: 50 } },
    replaces: false,
  },
  { input: "resourcesMonitoring", from: { memory }, to: undefined, replaces: false },
  { input: "startupScript", from: "a", to: "b", replaces: false },
  { input: "startupScriptBehavior", from: "blocking", to: undefined, replaces: false },
  { input: "shutdownScript", from: undefined, to: "b", replaces: false },
  { input: "troubleshootingUrl", from: "a", to: "b", replaces: false },
];
