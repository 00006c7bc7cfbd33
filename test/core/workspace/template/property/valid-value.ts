import * as fc from "fast-check";
import { uuid } from "../../environment";
import { freeText, nonBlank, upTo } from "./text";

const { constantFrom, integer, nat, oneof, stringMatching, tuple } = fc;

/** Safe integers (`Number.isSafeInteger`), mostly small ones. */
export const wholeNumber = oneof(integer({ min: -99, max: 999 }), fc.maxSafeInteger());

const icon = oneof(
  constantFrom("", "/icon/code.svg", "data:image/png;base64,AA==", "builtin:x", "../a%20b.svg"),
  constantFrom("https://[::1]:8080/i?x=%zz#top", "http://user:pw@host.test/", "//cdn.test/é.svg"),
  stringMatching(/^https:\/\/[a-z]{1,9}\.test\/[a-z0-9_-]{0,9}$/),
);

const field = (least: number, most: number): fc.Arbitrary<string> => {
  const value = integer({ min: least, max: most });
  return oneof(
    { weight: 3, arbitrary: constantFrom("*") },
    value.map(String),
    tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    tuple(value, value).map(([a, b]) => `${a},${b}`),
    integer({ min: 1, max: 30 }).map((step) => `*/${step}`),
  );
};

const fields = (...all: fc.Arbitrary<string>[]) => tuple(...all).map((each) => each.join(" "));
const day = field(1, 31);
const month = oneof(field(1, 12), constantFrom("JAN", "oct-dec"));
const weekday = oneof(field(0, 6), constantFrom("MON", "mon-FRI", "sun,sat", "?"));

const scriptCron = oneof(
  fields(field(0, 59), field(0, 59), field(0, 23), day, month, weekday),
  fields(field(0, 59), field(0, 59), field(0, 23), day, month),
  constantFrom("@hourly", "@every 1h30m", "@midnight", "TZ=Europe/Paris 0 0 6 * * *"),
);

const variableName = stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/);
const percentage = integer({ min: 0, max: 100 });
const seconds = oneof(constantFrom(0, 1, 120), nat());
const uuidText = oneof(fc.uuid(), constantFrom(uuid, uuid.toUpperCase()));

/** RE2 patterns, each with a string that it matches. */
export const patterns: readonly (readonly [regex: string, text: string])[] = [
  ["^[a-z]+$", "abc"],
  ["(?i)^HELLO", "hello ${world}"],
  ["\\d{3}", "x 123 y"],
  ["^\\$\\{[A-Z]+\\}$", "${HOME}"],
  ["\\pL", "日本"],
  ["^(?P<a>x|y)?$", ""],
  ['^"[^"]*"$', '"quoted"'],
];

/**
 * Values of attributes that have a rule, by the type and the attribute's path; written from the spec
 * and the facts.
 */
export const validValues: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  "workspace.url": oneof(
    constantFrom("https://platform.example.org", "http://[::1]:3000", "HTTPS://a.test/x//"),
    stringMatching(/^https?:\/\/[a-z]{1,9}\.test(:[1-9][0-9]{0,3})?\/?$/),
  ),
  "workspace_agent.connectionTimeout": seconds,
  "workspace_agent.resourcesMonitoring.memory.threshold": percentage,
  "workspace_agent.resourcesMonitoring.volumes.path": nonBlank,
  "workspace_agent.resourcesMonitoring.volumes.threshold": percentage,
  "workspace_ai_task.appId": uuidText,
  "workspace_ai_task.sidebarApp.id": uuidText,
  "workspace_app.slug": stringMatching(/^[A-Za-z0-9]{1,4}(-[A-Za-z0-9]{1,4}){0,3}$/),
  "workspace_app.displayName": upTo(64),
  "workspace_app.group": upTo(64),
  "workspace_app.icon": icon,
  "workspace_app.tooltip": upTo(2048),
  "workspace_devcontainer.workspaceFolder": nonBlank,
  "workspace_env.name": variableName,
  "workspace_external_auth.id": nonBlank,
  "workspace_metadata.icon": icon,
  "workspace_parameter.name": nonBlank,
  "workspace_parameter.icon": icon,
  "workspace_parameter.styling": fc
    .dictionary(freeText, oneof(freeText, fc.boolean()), { maxKeys: 2, noNullPrototype: true })
    .map((object) => JSON.stringify(object)),
  "workspace_parameter.options.icon": icon,
  "workspace_parameter.validation.regex": constantFrom(...patterns.map(([regex]) => regex)),
  "workspace_script.icon": icon,
  "workspace_script.cron": scriptCron,
  "workspace_script.timeout": seconds,
  "workspace_secret.env": variableName,
  "workspace_secret.file": tuple(constantFrom("~/", "/"), freeText).map((all) => all.join("")),
  "workspace_workspace_preset.name": nonBlank,
  "workspace_workspace_preset.description": upTo(128),
  "workspace_workspace_preset.icon": icon,
  "workspace_workspace_preset.prebuilds.instances": nat(99),
  "workspace_workspace_preset.prebuilds.expirationPolicy.ttl": oneof(
    constantFrom(0, 3600, 31_536_000),
    integer({ min: 3600, max: 31_536_000 }),
  ),
  "workspace_workspace_preset.prebuilds.scheduling.timezone": constantFrom(
    "UTC",
    "Europe/Berlin",
    "America/Argentina/Buenos_Aires",
    "Asia/Calcutta",
    "Etc/GMT+3",
    "",
  ),
  "workspace_workspace_preset.prebuilds.scheduling.schedules.cron": fields(
    constantFrom("*"),
    field(0, 23),
    day,
    month,
    weekday,
  ),
  "workspace_workspace_preset.prebuilds.scheduling.schedules.instances": nat(99),
};
