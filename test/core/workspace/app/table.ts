import { UNKNOWN } from "../../../../src/core/schema";
import type { AcceptanceRow, ChangeRow } from "../../../accept/table";
import { anyUuid, noBuild } from "../environment";
import type { Kinds, Noun } from "../../../accept/noun";
import {
  advice,
  conflict,
  invalid,
  missing,
  onConstruct,
  rowsByKind,
  rowsOn,
} from "../../../accept/row";

const base = { agentId: "1", slug: "web", url: "http://localhost:8080" };

const inputs: Kinds = {
  agentId: "string",
  slug: "string",
  command: "string",
  url: "string",
  external: "bool",
  displayName: "string",
  group: "string",
  healthcheck: { block: { url: "string", interval: "number", threshold: "number" } },
  hidden: "bool",
  icon: "string",
  openIn: "enum",
  order: "number",
  share: "enum",
  subdomain: "bool",
  tooltip: "string",
};

const outputs: Kinds = { appId: "string" };

const { accepts, refuses, warns, build } = rowsOn(base);

/** "Alphanumerics and hyphens; no leading or trailing hyphen; no two consecutive hyphens." */
const slug: readonly AcceptanceRow[] = [
  ...["a", "7", "a1-b2-c3", "a".repeat(300)].map((text) =>
    accepts(`a slug of ${text.length} characters, ${text.slice(0, 8)}`, { slug: text }),
  ),
  warns("a capital in the slug", { slug: "Web" }, advice("slug")),
  accepts("a slug of 57 characters with a subdomain", { slug: "a".repeat(57), subdomain: true }),
  warns(
    "a slug with a subdomain that is too long for a host name",
    { slug: "a".repeat(58), subdomain: true },
    advice("slug"),
  ),
  ...["", "-a", "a-", "a--b", "a_b", "a.b", "a b", "é", "web\n"].map((text) =>
    refuses(`the slug ${JSON.stringify(text)}`, { slug: text }, invalid("slug")),
  ),
];

const healthcheck = { url: "http://localhost:8080/healthz", interval: 5, threshold: 6 };

const command = { url: undefined, command: "htop" };

/** "Either command or url, not both. Conflicts with subdomain." Unset values do not conflict. */
const conflicts: readonly AcceptanceRow[] = [
  accepts("a command", command),
  refuses("a command and a url", { command: "htop" }, conflict("command")),
  refuses("a command with a subdomain", { ...command, subdomain: true }, conflict("command")),
  refuses("a command that is external", { ...command, external: true }, conflict("command")),
  refuses("a command with a health check", { ...command, healthcheck }, conflict("command")),
  accepts("a command without a subdomain", { ...command, subdomain: false }),
  accepts("a command that is not external", { ...command, external: false }),
  accepts("a url and an empty command", { command: "" }),
  accepts("a command and an empty url", { command: "htop", url: "" }),
  accepts("a command and an unknown url", { command: "htop", url: UNKNOWN }),
  accepts("a command with a subdomain that is unknown", { ...command, subdomain: UNKNOWN }),
  accepts("a link", { external: true, url: "https://example.com" }),
  refuses("a link with a subdomain", { external: true, subdomain: true }, conflict("external")),
  refuses("a link with a health check", { external: true, healthcheck }, conflict("external")),
  refuses("a link that is shared", { external: true, share: "public" }, conflict("external")),
  accepts("a shared app that is not a link", { external: false, share: "public" }),
  accepts("a link without a subdomain", { external: true, subdomain: false }),
  accepts("what may be a link, with a health check", { external: UNKNOWN, healthcheck }),
  warns("an app that opens nothing", { url: undefined }, advice("url")),
];

const enumRows: readonly AcceptanceRow[] = [
  ...["owner", "authenticated", "public"].map((share) => accepts(`the share ${share}`, { share })),
  ...["tab", "slim-window"].map((openIn) => accepts(`the openIn ${openIn}`, { openIn })),
  ...["", "organization", "Owner"].map((share) =>
    refuses(`the share ${JSON.stringify(share)}`, { share }, invalid("share")),
  ),
  ...["", "window", "Tab"].map((openIn) =>
    refuses(`the openIn ${JSON.stringify(openIn)}`, { openIn }, invalid("openIn")),
  ),
];

/** Lengths count bytes of UTF-8. */
const lengths: readonly AcceptanceRow[] = (
  [
    ["displayName", 64],
    ["group", 64],
    ["tooltip", 2048],
  ] as const
).flatMap(([name, most]) => [
  accepts(`a ${name} of ${most} bytes`, { [name]: "x".repeat(most) }),
  accepts(`a ${name} of ${most / 2} two-byte characters`, { [name]: "ü".repeat(most / 2) }),
  accepts(`an empty ${name}`, { [name]: "" }),
  refuses(`a ${name} of ${most + 1} bytes`, { [name]: "x".repeat(most + 1) }, invalid(name)),
  refuses(
    `a ${name} whose two-byte characters exceed the limit in bytes`,
    { [name]: "ü".repeat(most / 2 + 1) },
    invalid(name),
  ),
]);

const plain: readonly AcceptanceRow[] = [
  ...[
    "",
    "/icon/code.svg",
    "https://example.com/i.svg",
    "builtin:x",
    "data:image/png;base64,AA",
  ].map((icon) => accepts(`the icon ${JSON.stringify(icon)}`, { icon })),
  ...["/i%.svg", "http://a b/i.svg", "http://[::1/i.svg", "http://a:port/i.svg"].map((icon) =>
    refuses(`the icon ${JSON.stringify(icon)}`, { icon }, invalid("icon")),
  ),
  accepts("an invalid url", { url: "localhost 8080" }),
  accepts("a negative order", { order: -1 }),
  accepts("a subdomain", { subdomain: true }),
];

const health: readonly AcceptanceRow[] = [
  accepts("a health check with values that are not validated", {
    healthcheck: { url: "", interval: -1, threshold: 0 },
  }),
  ...(["url", "interval", "threshold"] as const).map((field) =>
    refuses(
      `a health check without ${field}`,
      { healthcheck: { ...healthcheck, [field]: undefined } },
      missing("healthcheck", field),
    ),
  ),
  refuses(
    "two health checks",
    { healthcheck: [healthcheck, { ...healthcheck, interval: 7 }] },
    invalid("healthcheck"),
  ),
];

const hidden: readonly AcceptanceRow[] = [
  accepts("a hidden app", { hidden: true }),
  ...onConstruct([
    accepts("a displayName of 64 bytes as Terraform reads it", {
      displayName: `$\${${"x".repeat(62)}`,
    }),
  ]),
  warns("a hidden app's displayName", { hidden: true, displayName: "Web" }, advice("displayName")),
  warns("a hidden app's icon", { hidden: true, icon: "/icon/a.svg" }, advice("icon")),
  warns("a hidden app's order", { hidden: true, order: 3 }, advice("order")),
];

const changes: readonly ChangeRow[] = [
  { input: "agentId", from: "1", to: "2", replaces: true },
  { input: "slug", from: "a", to: "b", replaces: false },
  { input: "url", from: "http://localhost:1", to: "http://localhost:2", replaces: false },
  { input: "external", from: false, to: true, replaces: false },
  { input: "displayName", from: "a", to: "b", replaces: false },
  { input: "group", from: "a", to: undefined, replaces: false },
  {
    input: "healthcheck",
    from: healthcheck,
    to: { ...healthcheck, interval: 9 },
    replaces: false,
  },
  { input: "healthcheck", from: healthcheck, to: undefined, replaces: false },
  { input: "hidden", from: undefined, to: true, replaces: false },
  { input: "hidden", from: undefined, to: false, replaces: false },
  { input: "icon", from: "/a", to: "/b", replaces: false },
  { input: "openIn", from: "tab", to: undefined, replaces: false },
  { input: "order", from: 1, to: 2, replaces: false },
  { input: "share", from: "owner", to: "public", replaces: false },
  { input: "subdomain", from: false, to: true, replaces: false },
  { input: "tooltip", from: "a", to: "b", replaces: false },
];

/** The spec's App. */
export const app: Noun = {
  kind: "resource",
  typeName: "workspace_app",
  construct: "workspace.App",
  base,
  inputs,
  outputs,
  wire: { appId: "id" },
  rows: [
    ...slug,
    ...conflicts,
    ...enumRows,
    ...lengths,
    ...plain,
    ...health,
    ...hidden,
    ...rowsByKind({
      base,
      inputs,
      outputs,
      required: ["agentId", "slug"],
      samples: { healthcheck },
      beside: { command: { url: undefined } },
    }),
  ],
  builds: [
    build("fills in the defaults and creates an id", {}, noBuild, {
      outputs: {
        appId: anyUuid,
        external: false,
        hidden: false,
        openIn: "slim-window",
        share: "owner",
      },
    }),
  ],
  changes,
};
