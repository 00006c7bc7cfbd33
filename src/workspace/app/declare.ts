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
import { maxBytes } from "../grammar/byte-length";
import { urlRule } from "../grammar/url-syntax";
import { agentId } from "../template/agent-id";

/** Who may open an app. */
export const appShares = {
  owner: "lets in the workspace's owner alone",
  authenticated: "lets in all users who are logged in",
  public: "lets in anybody",
} as const;

/** Where an app opens. */
export const appOpenIns = {
  tab: "opens a new tab of the browser",
  "slim-window": "opens a small window of its own",
} as const;

const slug = stringRule([
  [
    /^[A-Za-z\d](-?[A-Za-z\d])*$/,
    "must consist of letters, digits and single hyphens, none at the start or end",
  ],
]);

const isShown = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "" && value !== 0;

const hiddenYet = (name: "displayName" | "icon" | "order") =>
  advise({
    name,
    reads: ["hidden"],
    doc: "has no effect on an app that is hidden",
    when: (values) => values["hidden"] === true && isShown(values[name]),
  });

/** An app of a workspace. */
export const app = resource("workspace_app", {
  doc:
    "An app that users open from the workspace's page: a web server inside the workspace, a command in " +
    "a terminal, or a link.",
  attributes: {
    agentId,
    slug: required(t.string(slug), {
      doc: "Name of the app in URLs, one of its own in the template.",
    }),
    command: optional(t.string(), { doc: "Command that a terminal runs to open the app." }),
    url: optional(t.string(), {
      doc:
        "With `external` the URL of a link; else what is proxied from inside the workspace: " +
        "`http://localhost:PORT[/SUBPATH]`.",
    }),
    external: optionalComputed(t.bool(), {
      doc: "Whether `url` is opened by the user's browser itself instead of proxied.",
      default: false,
    }),
    displayName: optional(t.string(maxBytes(64)), {
      doc: "Name that users see. By default the slug.",
    }),
    group: optional(t.string(maxBytes(64)), { doc: "Name of the group in which the app stands." }),
    hidden: optionalComputed(t.bool(), {
      doc: "Whether the user interface hides the app. Needs version 2.16 of the platform.",
      default: false,
    }),
    icon: optional(t.string(urlRule), {
      doc: "URL of an icon; built-in ones stand under `/icon/`.",
    }),
    openIn: optionalComputed(t.oneOf(enumValues(appOpenIns)), {
      doc: `Where the app opens: ${enumMeanings(appOpenIns)}`,
      default: "slim-window",
    }),
    order: optional(t.integer(), {
      doc: "Position of the app: lowest first, equal ones by name.",
    }),
    share: optionalComputed(t.oneOf(enumValues(appShares)), {
      doc: `Who may open the app: ${enumMeanings(appShares)} Administrators can restrict it.`,
      default: "owner",
    }),
    subdomain: optional(t.bool(), {
      doc:
        "Whether the app has a subdomain of its own instead of a path. By default false. Needs a wildcard " +
        "host, which administrators set up.",
    }),
    tooltip: optional(t.string(maxBytes(2048)), {
      doc: "Markdown that is shown while the pointer rests on the app.",
    }),
    appId: computed(t.string(), { doc: "ID of the app.", wire: "id", useStateForUnknown: true }),
  },
  blocks: {
    healthcheck: block.set(
      {
        attributes: {
          url: required(t.string(), { doc: "URL that must answer with a status below 500." }),
          interval: required(t.integer(), { doc: "Seconds between two checks." }),
          threshold: required(t.integer(), {
            doc: "Number of failed checks in a row after which the app is unhealthy.",
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
      name: "url",
      reads: ["command"],
      doc: "or `command` should be given: an app without either opens nothing",
      when: ({ url, command }) => (url ?? "") === "" && (command ?? "") === "",
    }),
    advise({
      name: "slug",
      doc: "should have no capitals: a host name loses them, and not every platform takes them",
      when: (values) => /[A-Z]/.test(String(values["slug"])),
    }),
    hiddenYet("displayName"),
    hiddenYet("icon"),
    hiddenYet("order"),
  ],
});
