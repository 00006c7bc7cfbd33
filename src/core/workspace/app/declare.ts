import {
  advise,
  block,
  computed,
  excludes,
  optional,
  required,
  optionalComputed,
  resource,
  t,
  stringRule,
  enumMeanings,
  enumValues,
} from "../../schema";
import { maxBytes, agentId } from "../grammar/value-rules";
import { urlRule } from "../grammar/url-syntax";
import { longLabel } from "../product/coder-limits";

/** Who may open an app. */
export const appShares = {
  owner: "admits only the workspace's owner",
  authenticated: "admits all logged-in users",
  public: "admits everyone",
} as const;

/** Where an app opens. */
export const appOpenIns = {
  tab: "opens a new browser tab",
  "slim-window": "opens a separate small window",
} as const;

const slug = stringRule([
  [
    /^[A-Za-z\d](-?[A-Za-z\d])*$/,
    "must consist of letters, digits and single hyphens, with no hyphen at the start or end",
  ],
]);

const isShown = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "" && value !== 0;

const noEffectIfHidden = (name: "displayName" | "icon" | "order", code: string) =>
  advise({
    code,
    name,
    reads: ["hidden"],
    doc: "has no effect on a hidden app",
    when: (values) => values["hidden"] === true && isShown(values[name]),
  });

export const app = resource("workspace_app", {
  doc:
    "An app that users open from the workspace's page: a web server inside the workspace, a command in " +
    "a terminal, or a link.",
  attributes: {
    agentId,
    slug: required(t.string(slug), {
      doc: "Name of the app in URLs, unique in the template.",
    }),
    command: optional(t.string(), { doc: "Command that a terminal runs to open the app." }),
    url: optional(t.string(), {
      doc:
        "With `external`, the URL of a link. Otherwise the URL of a server inside the workspace that the " +
        "platform proxies: `http://localhost:PORT[/SUBPATH]`.",
    }),
    external: optionalComputed(t.bool(), {
      doc: "Whether the user's browser opens `url` directly, without the proxy.",
      default: false,
    }),
    displayName: optional(t.string(maxBytes(64)), {
      doc: "Name that users see. By default the slug.",
    }),
    group: optional(t.string(maxBytes(64)), { doc: "Name of the group that contains the app." }),
    hidden: optionalComputed(t.bool(), {
      doc: "Whether the user interface hides the app. Needs version 2.16 of the platform.",
      default: false,
    }),
    icon: optional(t.string(urlRule), {
      doc: "URL of an icon. The built-in icons are under `/icon/`.",
    }),
    openIn: optionalComputed(t.oneOf(enumValues(appOpenIns)), {
      doc: `Where the app opens: ${enumMeanings(appOpenIns)}`,
      default: "slim-window",
    }),
    order: optional(t.integer(), {
      doc: "Position of the app: lowest first, then by name.",
    }),
    share: optionalComputed(t.oneOf(enumValues(appShares)), {
      doc: `Who may open the app: ${enumMeanings(appShares)} Administrators can restrict it.`,
      default: "owner",
    }),
    subdomain: optional(t.bool(), {
      doc:
        "Whether the app is served from its own subdomain instead of a path. By default false. Needs a " +
        "wildcard host, which administrators set up.",
    }),
    tooltip: optional(t.string(maxBytes(2048)), {
      doc: "Markdown of the app's tooltip.",
    }),
    appId: computed(t.string(), { doc: "ID of the app.", wire: "id", useStateForUnknown: true }),
  },
  blocks: {
    healthcheck: block.set(
      {
        attributes: {
          url: required(t.string(), { doc: "URL that must respond with a status below 500." }),
          interval: required(t.integer(), { doc: "Seconds between checks." }),
          threshold: required(t.integer(), {
            doc: "Number of consecutive failed checks after which the app is unhealthy.",
          }),
        },
      },
      { doc: "HTTP health check of the app.", max: 1 },
    ),
  },
  rules: [
    excludes("command", "url", "subdomain", "external", "healthcheck"),
    excludes("external", "subdomain", "healthcheck", "share"),
    advise({
      code: "app-opens-nothing",
      name: "url",
      reads: ["command"],
      doc: "or `command` should be set: an app without either opens nothing",
      when: ({ url, command }) => (url ?? "") === "" && (command ?? "") === "",
    }),
    advise({
      code: "app-slug-capitals",
      name: "slug",
      doc: "should have no capitals: they are lost in a host name, and not every platform accepts them",
      when: (values) => /[A-Z]/.test(String(values["slug"])),
    }),
    advise({
      code: "app-long-address",
      name: "slug",
      reads: ["subdomain"],
      doc:
        "should have at most 57 characters for an app with a subdomain: a label of a host name has at most " +
        "63, and the names of the workspace and its owner follow",
      when: ({ slug: name, subdomain }) =>
        subdomain === true && longLabel(String(name)) !== undefined,
    }),
    noEffectIfHidden("displayName", "hidden-app-name"),
    noEffectIfHidden("icon", "hidden-app-icon"),
    noEffectIfHidden("order", "hidden-app-order"),
  ],
});
