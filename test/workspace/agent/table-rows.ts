import { UNKNOWN } from "../../../src/schema";
import type { AcceptanceRow } from "../../accept/table";
import { deprecated, invalid, missing, onConstruct, rowsOn } from "../../accept/row";

const { accepts, refuses, warns } = rowsOn({ os: "linux", arch: "amd64" });

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
  ...onConstruct([
    refuses(
      "an environment variable that is a comment to Terraform",
      { env: { "//": "a" } },
      {
        code: "LITERAL_INTERPOLATION",
        path: ["env", "//"],
      },
    ),
  ]),
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

/** One entry that an agent reports. */
export const load = { key: "load", script: "uptime", interval: 10 };

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

/** What holds of an agent's arguments one by one. */
export const agentRows: readonly AcceptanceRow[] = [
  ...enumerations,
  ...plain,
  ...displayApps,
  ...metadatas,
];
