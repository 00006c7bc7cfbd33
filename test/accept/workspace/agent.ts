import { UNKNOWN } from "../../../src/schema";
import type { AcceptanceRow, BuildRow, ChangeRow } from "../table";
import { anyUuid, noBuild, startBuild, stopBuild, uuid, variable } from "./environment";
import type { Kinds, Noun } from "./noun";
import { deprecated, invalid, missing, rowsByKind, rowsOn } from "./row";

const base = { os: "linux", arch: "amd64" };

const inputs: Kinds = {
  os: "enum",
  arch: "enum",
  auth: "enum",
  apiKeyScope: "enum",
  connectionTimeout: "number",
  dir: "string",
  displayApps: {
    block: {
      editor: "bool",
      editorInsiders: "bool",
      webTerminal: "bool",
      sshHelper: "bool",
      portForwardingHelper: "bool",
    },
  },
  env: "map",
  metadatas: {
    blocks: {
      key: "string",
      displayName: "string",
      script: "string",
      interval: "number",
      timeout: "number",
      order: "number",
    },
  },
  motdFile: "string",
  order: "number",
  resourcesMonitoring: {
    block: {
      memory: { block: { enabled: "bool", threshold: "number" } },
      volumes: { blocks: { path: "string", enabled: "bool", threshold: "number" } },
    },
  },
  startupScript: "string",
  startupScriptBehavior: "enum",
  shutdownScript: "string",
  troubleshootingUrl: "string",
};

const outputs: Kinds = { agentId: "string", initScript: "string", token: "string" };

const { accepts, refuses, warns, build } = rowsOn(base);

const each = (name: string, words: readonly string[]): AcceptanceRow[] =>
  words.map((word) => accepts(`the ${name} ${word}`, { [name]: word }));

/** Words are case-sensitive, and the empty text is none of them. */
const enumerations: readonly AcceptanceRow[] = [
  ...each("os", ["linux", "darwin", "windows"]),
  ...each("arch", ["amd64", "armv7", "arm64"]),
  ...each("auth", [
    "token",
    "cloudA-instance-identity",
    "cloudB-instance-identity",
    "cloudC-instance-identity",
  ]),
  ...each("apiKeyScope", ["all", "no_user_data"]),
  ...each("startupScriptBehavior", ["blocking", "non-blocking"]),
  ...["os", "arch", "auth", "apiKeyScope", "startupScriptBehavior"].flatMap((name) => [
    refuses(`a word that is no ${name}`, { [name]: "other" }, invalid(name)),
    refuses(`an empty ${name}`, { [name]: "" }, invalid(name)),
  ]),
  refuses("an os in capitals", { os: "Linux" }, invalid("os")),
  refuses("an arch of the other spelling", { arch: "x86_64" }, invalid("arch")),
  refuses("an auth without its suffix", { auth: "cloudA" }, invalid("auth")),
  accepts("a combination of os and arch for which there is no script", {
    os: "windows",
    arch: "armv7",
  }),
];

const plain: readonly AcceptanceRow[] = [
  accepts("a connectionTimeout of 0, which never times out", { connectionTimeout: 0 }),
  accepts("a connectionTimeout", { connectionTimeout: 300 }),
  refuses("a negative connectionTimeout", { connectionTimeout: -1 }, invalid("connectionTimeout")),
  accepts("a negative order", { order: -3 }),
  accepts("an order of 0", { order: 0 }),
  accepts("environment variables", { env: { EDITOR: "vi", EMPTY: "" } }),
  accepts("no environment variables", { env: {} }),
  accepts("an environment variable whose value is unknown", { env: { A: UNKNOWN, B: "b" } }),
  accepts("texts that nobody checks", {
    startupScript: "",
    shutdownScript: "echo bye",
    motdFile: "/etc/motd",
    troubleshootingUrl: "not a URL",
  }),
  warns("dir, which is deprecated", { dir: "/work" }, deprecated("dir")),
];

const displayApps: readonly AcceptanceRow[] = [
  accepts("an empty block of displayApps", { displayApps: {} }),
  accepts("each of the displayApps", {
    displayApps: {
      editor: false,
      editorInsiders: true,
      webTerminal: false,
      sshHelper: false,
      portForwardingHelper: false,
    },
  }),
  refuses(
    "displayApps that stand twice",
    { displayApps: [{ editor: true }, { editor: false }] },
    invalid("displayApps"),
  ),
];

const load = { key: "load", script: "uptime", interval: 10 };

const metadatas: readonly AcceptanceRow[] = [
  accepts("an empty list of metadatas", { metadatas: [] }),
  accepts("two metadatas with keys that differ in capitals only", {
    metadatas: [load, { ...load, key: "Load" }],
  }),
  accepts("metadatas with everything", {
    metadatas: [{ ...load, displayName: "Load", timeout: 0, order: -1 }],
  }),
  accepts("an interval of 0", { metadatas: [{ ...load, interval: 0 }] }),
  accepts("two metadatas whose keys are unknown", {
    metadatas: [
      { ...load, key: UNKNOWN },
      { ...load, key: UNKNOWN },
    ],
  }),
  ...(["key", "script", "interval"] as const).map((field) =>
    refuses(
      `metadatas without ${field}`,
      { metadatas: [load, { ...load, key: "other", [field]: undefined }] },
      missing("metadatas", 1, field),
    ),
  ),
  refuses(
    "two metadatas with one key",
    { metadatas: [load, { ...load, interval: 20 }] },
    invalid("metadatas", 1, "key"),
  ),
  refuses(
    "one key among metadatas of which another is unknown",
    { metadatas: [load, { ...load, key: UNKNOWN }, load] },
    invalid("metadatas", 2, "key"),
  ),
];

const memory = { enabled: true, threshold: 80 };
const volume = { path: "/home", enabled: true, threshold: 90 };

const volumesOn = (os: string, ...paths: unknown[]): object => ({
  os,
  resourcesMonitoring: { volumes: paths.map((path) => ({ ...volume, path })) },
});

const inVolume = (index: number, field: string) =>
  ["resourcesMonitoring", "volumes", index, field] as const;

const resourcesMonitoring: readonly AcceptanceRow[] = [
  accepts("monitoring of the memory", { resourcesMonitoring: { memory } }),
  accepts("monitoring of volumes", {
    resourcesMonitoring: { volumes: [volume, { ...volume, path: "/data" }] },
  }),
  accepts("monitoring of both", { resourcesMonitoring: { memory, volumes: [volume] } }),
  ...[0, 100].map((threshold) =>
    accepts(`a threshold of ${threshold}`, {
      resourcesMonitoring: { memory: { enabled: false, threshold } },
    }),
  ),
  accepts("unknown values in the monitoring", {
    resourcesMonitoring: {
      memory: { enabled: UNKNOWN, threshold: UNKNOWN },
      volumes: [{ path: UNKNOWN, enabled: UNKNOWN, threshold: UNKNOWN }],
    },
  }),
  refuses(
    "monitoring of nothing",
    { resourcesMonitoring: {} },
    missing("resourcesMonitoring", "memory"),
  ),
  ...[-1, 101].map((threshold) =>
    refuses(
      `a threshold of ${threshold} for the memory`,
      { resourcesMonitoring: { memory: { enabled: true, threshold } } },
      invalid("resourcesMonitoring", "memory", "threshold"),
    ),
  ),
  refuses(
    "a threshold of 101 for a volume",
    { resourcesMonitoring: { volumes: [{ ...volume, threshold: 101 }] } },
    invalid(...inVolume(0, "threshold")),
  ),
  ...(["enabled", "threshold"] as const).map((field) =>
    refuses(
      `monitoring of the memory without ${field}`,
      { resourcesMonitoring: { memory: { ...memory, [field]: undefined } } },
      missing("resourcesMonitoring", "memory", field),
    ),
  ),
  ...(["path", "enabled", "threshold"] as const).map((field) =>
    refuses(
      `monitoring of a volume without ${field}`,
      { resourcesMonitoring: { volumes: [{ ...volume, [field]: undefined }] } },
      missing(...inVolume(0, field)),
    ),
  ),
  accepts("an absolute path on linux", volumesOn("linux", "/")),
  accepts("an absolute path on darwin", volumesOn("darwin", "/Volumes/data")),
  accepts("a path with a drive on windows", volumesOn("windows", "C:/data", "D:\\")),
  accepts("any path on a system that is unknown", {
    ...volumesOn("linux", "C:/data"),
    os: UNKNOWN,
  }),
  refuses("an empty path", volumesOn("linux", ""), invalid(...inVolume(0, "path"))),
  refuses("a relative path", volumesOn("linux", "data"), invalid(...inVolume(0, "path"))),
  refuses(
    "a path with a drive on linux",
    volumesOn("linux", "C:/data"),
    invalid(...inVolume(0, "path")),
  ),
  refuses(
    "a relative path on windows",
    volumesOn("windows", "C:\\data", "data"),
    invalid(...inVolume(1, "path")),
  ),
  refuses(
    "two volumes with one path",
    {
      resourcesMonitoring: { volumes: [volume, { ...volume, threshold: 50 }] },
    },
    invalid(...inVolume(1, "path")),
  ),
  accepts("two volumes whose paths are unknown", volumesOn("linux", UNKNOWN, UNKNOWN)),
];

const script = variable.agentScript("linux", "amd64");
const placeholders = "${ACCESS_URL}bin ${AUTH_TYPE} ${ACCESS_URL} ${HOME}";

const builds: readonly BuildRow[] = [
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
    "makes the init script from the platform's, with the address and the kind of proof",
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
    "gives an agent of another system no script",
    { os: "windows" },
    { ...startBuild, [script]: placeholders },
    { outputs: { initScript: "" } },
  ),
  build(
    "takes the token with which the only agent runs",
    {},
    { ...startBuild, [variable.runningAgentToken("")]: uuid },
    { outputs: { token: uuid } },
  ),
  build(
    "makes a token when the one that runs is empty",
    {},
    { ...startBuild, [variable.runningAgentToken("")]: "" },
    { outputs: { token: anyUuid } },
  ),
  build("makes a token in a build that stops", {}, stopBuild, { outputs: { token: anyUuid } }),
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

const changes: readonly ChangeRow[] = [
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

/** The spec's Agent. */
export const agent: Noun = {
  kind: "resource",
  typeName: "workspace_agent",
  construct: "workspace.Agent",
  base,
  inputs,
  outputs,
  wire: { agentId: "id", metadatas: "metadata", volumes: "volume" },
  rows: [
    ...enumerations,
    ...plain,
    ...displayApps,
    ...metadatas,
    ...resourcesMonitoring,
    ...rowsByKind({
      base,
      inputs,
      outputs,
      required: ["os", "arch"],
      samples: {
        displayApps: { editor: true },
        metadatas: load,
        resourcesMonitoring: { memory },
      },
    }),
  ],
  builds,
  changes,
};
