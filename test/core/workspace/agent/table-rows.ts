import { UNKNOWN } from "../../../../src/core/schema";
import type { AcceptanceRow } from "../../../accept/table";
import { deprecated, invalid, missing, onConstruct, rowsOn } from "../../../accept/row";

const { accepts, refuses, warns } = rowsOn({ os: "linux", arch: "amd64" });

const each = (name: string, values: readonly string[]): AcceptanceRow[] =>
  values.map((value) => accepts(`the ${name} ${value}`, { [name]: value }));

/** Enum values are case-sensitive, and the empty string is not one of them. */
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
    refuses(`an invalid ${name}`, { [name]: "other" }, invalid(name)),
    refuses(`an empty ${name}`, { [name]: "" }, invalid(name)),
  ]),
  refuses("an os in uppercase", { os: "Linux" }, invalid("os")),
  refuses("an arch with another spelling", { arch: "x86_64" }, invalid("arch")),
  refuses("an auth without its suffix", { auth: "cloudA" }, invalid("auth")),
  accepts("a combination of os and arch without a script", {
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
  accepts("strings that are not validated", {
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
    "two displayApps blocks",
    { displayApps: [{ editor: true }, { editor: false }] },
    invalid("displayApps"),
  ),
];

/** One metadata item that an agent reports. */
export const load = { key: "load", script: "uptime", interval: 10 };

const metadatas: readonly AcceptanceRow[] = [
  accepts("an empty list of metadatas", { metadatas: [] }),
  accepts("two metadata items with keys that differ only in case", {
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
    "two metadatas with the same key",
    { metadatas: [load, { ...load, interval: 20 }] },
    invalid("metadatas", 1, "key"),
  ),
  refuses(
    "a duplicate key among metadatas with an unknown key",
    { metadatas: [load, { ...load, key: UNKNOWN }, load] },
    invalid("metadatas", 2, "key"),
  ),
];

/** Rules for each of an agent's arguments. */
export const agentRows: readonly AcceptanceRow[] = [
  ...enumerations,
  ...plain,
  ...displayApps,
  ...metadatas,
];
