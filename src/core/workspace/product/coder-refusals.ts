import type { Properties } from "../../json/plain-json";
import {
  type Breach,
  type FindingCode,
  knownElements,
  type ResourceRule,
  warning,
} from "../../schema";
import { matches } from "../grammar/regular-expression";
import { volumePaths } from "../grammar/value-rules";
import { storedProblems } from "./coder-limits";
import { type PlatformRuleName, withVersion } from "./platform-versions";

/**
 * Creates a rule for values that this package's provider accepts, and coder refuses. The rule also runs when values
 * are unknown, and must check for tokens itself. Its messages say where it was seen.
 */
function refusal(
  name: PlatformRuleName,
  doc: string,
  broken: (
    values: Properties,
    isUnknown: (value: unknown) => boolean,
  ) => Breach | readonly Breach[] | undefined,
  code: FindingCode = "INVALID_ARGUMENT",
): ResourceRule {
  const dated = (breach: Breach): Breach => ({
    ...breach,
    message: withVersion(breach.message, name),
  });
  return {
    code,
    severity: "error",
    inputs: [],
    doc: () => doc,
    broken: (values, _label, isUnknown) => [broken(values, isUnknown) ?? []].flat().map(dated),
  };
}

/** Like `refusal`, but with a warning, because coder accepts the values in some cases. */
const advice = (
  name: PlatformRuleName,
  code: string,
  doc: string,
  broken: Parameters<typeof refusal>[2],
): ResourceRule => ({
  ...refusal(name, doc, broken, "ADVICE"),
  severity: "warning",
  warning: warning(code, doc).code,
});

/** Checks whether a value is set, even to `false` or an empty string. */
const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

const capitals = refusal("appSlug", "coder refuses capitals in a slug", ({ slug }, isUnknown) =>
  typeof slug === "string" && /[A-Z]/.test(slug) && !isUnknown(slug)
    ? {
        name: "slug",
        message: `must not contain capitals for coder (got ${JSON.stringify(slug)})`,
      }
    : undefined,
);

/** Arguments that coder's provider does not accept together, even if one is `false` or "". */
const apart: readonly (readonly [name: string, ...others: string[]])[] = [
  ["command", "url", "subdomain", "external", "healthcheck"],
  ["external", "subdomain", "share", "healthcheck"],
];

const isIdle = (value: unknown): boolean => value === false || value === "";

const idleConflicts = refusal(
  "idleConflicts",
  "coder treats an argument as set even if it is false or an empty string",
  (values) => {
    const breaches = new Map<string, Breach>();
    for (const [name, ...others] of apart) {
      for (const other of others) {
        if (!isSet(values[name]) || !isSet(values[other])) continue;
        const idle = [name, other].find((each) => isIdle(values[each]));
        if (idle === undefined || breaches.has(idle)) continue;
        const conflict = idle === name ? other : name;
        const got = JSON.stringify(values[idle]);
        const message = `must be omitted for coder if \`${conflict}\` is set, because coder counts false and empty values as set (got ${got})`;
        breaches.set(idle, { name: idle, message });
      }
    }
    return [...breaches.values()];
  },
  "CONFLICT",
);

const zeroTimeout = refusal("scriptTimeout", "coder refuses a timeout of 0", ({ timeout }) =>
  timeout === 0
    ? {
        name: "timeout",
        message: "must be omitted for coder, where 0 is the default but cannot be set (got 0)",
      }
    : undefined,
);

const resourceId = refusal(
  "metadataResource",
  "coder requires the resource",
  (values) =>
    isSet(values["resourceId"])
      ? undefined
      : { name: "resourceId", message: "must be set for coder" },
  "MISSING",
);

const hostPaths = advice(
  "volumePaths",
  "agent-volume-path",
  "coder checks the path of a volume with the rules of the provisioner's operating system",
  ({ resourcesMonitoring }, isUnknown) =>
    volumePaths(resourcesMonitoring, isUnknown)
      .filter(([, path]) => !path.startsWith("/"))
      .map(([place, path]) => ({
        name: "resourcesMonitoring",
        path: place,
        message: `is valid for coder only if its provisioner runs on Windows (got ${JSON.stringify(path)})`,
      })),
);

const requiredAndValidated = refusal(
  "validatedDefault",
  "coder validates the empty string if a parameter has no value",
  ({ type = "string", default: value, validation }, isUnknown) => {
    if (isSet(value) || isUnknown(type)) return undefined;
    return knownElements(validation)
      .filter(
        ([, { regex }]) =>
          type !== "string" ||
          (typeof regex === "string" && !isUnknown(regex) && !matches(regex, "")),
      )
      .map(([step]) => ({
        name: "validation",
        path: step,
        message:
          "needs a default that satisfies it for coder, which otherwise validates the empty string when the template is imported",
      }));
  },
);

const comparableSchedules = advice(
  "presetSchedules",
  "preset-schedules",
  "coder compares the schedules of a preset as numbers",
  ({ prebuilds }, isUnknown) =>
    knownElements(prebuilds).flatMap(([outer, { scheduling }]) =>
      knownElements(scheduling).flatMap(([middle, { schedules }]) => {
        const all = knownElements(schedules);
        if (all.length < 2) return [];
        return all
          .filter(
            ([, { cron }]) =>
              typeof cron === "string" && !isUnknown(cron) && /[A-Za-z/?]/.test(cron),
          )
          .map(([inner, { cron }]) => ({
            name: "prebuilds",
            path: [...outer, "scheduling", ...middle, "schedules", ...inner, "cron"],
            message: `may be refused by coder, which cannot compare names, steps and \`?\` with another schedule (got ${JSON.stringify(cron)})`,
          }));
      }),
    ),
);

/** @see https://github.com/coder/terraform-provider-coder/pull/512 */
const removedSecret = advice(
  "removedSecret",
  "secret-removed",
  "coder's provider had a data source for secrets in two versions only",
  ({ file }) => ({
    name: isSet(file) ? "file" : "env",
    message:
      "needs version 2.16 or 2.17 of coder's provider, and version 2.33 of coder: later versions have no data source for secrets. Pass them to the agent by name instead, or require these versions",
  }),
);

const stored = (type: string): ResourceRule =>
  refusal("stored", "coder's database limits lengths and integers", (values, isUnknown) =>
    storedProblems(type, values, isUnknown).map(({ path: [name = "", ...path], message }) => ({
      name: String(name),
      path,
      message,
    })),
  );

/** Rules for values that coder's provider refuses, or may refuse, by resource type. */
export const coderRefusals: Readonly<Record<string, readonly ResourceRule[]>> = {
  workspace_agent: [hostPaths, stored("agent")],
  workspace_app: [capitals, idleConflicts, stored("app")],
  workspace_env: [stored("env")],
  workspace_devcontainer: [stored("devcontainer")],
  workspace_metadata: [resourceId, stored("metadata")],
  workspace_parameter: [requiredAndValidated, stored("parameter")],
  workspace_script: [zeroTimeout, stored("script")],
  workspace_secret: [removedSecret],
  workspace_workspace_preset: [comparableSchedules, stored("workspace_preset")],
};
