import { isRecord } from "../../json/is-object";
import type { Breach, ResourceRule, FindingCode } from "../../schema";

/** Values of a declaration or of a block in it. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * What a product refuses though we accept it. Its rule is run whatever is unknown, and looks at the
 * values with care for tokens.
 */
function refusal(
  doc: string,
  broken: (
    values: Values,
    isUnknown: (value: unknown) => boolean,
  ) => Breach | readonly Breach[] | undefined,
  code: FindingCode = "INVALID_ARGUMENT",
): ResourceRule {
  return {
    code,
    severity: code === "ADVICE" ? "warning" : "error",
    inputs: [],
    doc: () => doc,
    broken: (values, _label, isUnknown) => broken(values, isUnknown),
  };
}

/** The elements of a block with their steps; a block that stands once may be written alone. */
function elements(
  value: unknown,
): (readonly [step: readonly (string | number)[], element: Values])[] {
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown, index) => (isRecord(each) ? [[[index], each]] : []));
  }
  return isRecord(value) ? [[[], value]] : [];
}

/** Whether a value is written, be it `false` or an empty text. */
const isWritten = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

const capitals = refusal("coder refuses capitals in a slug", ({ slug }, isUnknown) =>
  typeof slug === "string" && /[A-Z]/.test(slug) && !isUnknown(slug)
    ? {
        name: "slug",
        message: `must have no capitals for coder (got ${JSON.stringify(slug)})`,
      }
    : undefined,
);

/** What coder's provider lets stand only alone, though written as `false` or "" it says nothing. */
const apart: readonly (readonly [name: string, ...others: string[]])[] = [
  ["command", "url", "subdomain", "external", "healthcheck"],
  ["external", "subdomain", "share", "healthcheck"],
];

const isIdle = (value: unknown): boolean => value === false || value === "";

const idleConflicts = refusal(
  "coder counts an argument as given when it is written, also as false or an empty text",
  (values) => {
    const breaches = new Map<string, Breach>();
    for (const [name, ...others] of apart) {
      for (const other of others) {
        if (!isWritten(values[name]) || !isWritten(values[other])) continue;
        const idle = [name, other].find((each) => isIdle(values[each]));
        if (idle === undefined || breaches.has(idle)) continue;
        const beside = idle === name ? other : name;
        const got = JSON.stringify(values[idle]);
        const message = `must be left out beside \`${beside}\` for coder, which counts what is written (got ${got})`;
        breaches.set(idle, { name: idle, message });
      }
    }
    return [...breaches.values()];
  },
  "CONFLICT",
);

const zeroTimeout = refusal("coder refuses a time-out of 0", ({ timeout }) =>
  timeout === 0
    ? {
        name: "timeout",
        message: "must be left out for coder, where 0 is the default but cannot be written (got 0)",
      }
    : undefined,
);

const resourceId = refusal(
  "coder needs the resource",
  (values) =>
    isWritten(values["resourceId"])
      ? undefined
      : { name: "resourceId", message: "must be given for coder" },
  "MISSING",
);

const hostPaths = refusal(
  "coder judges the path of a volume by the system of the provisioner",
  ({ resourcesMonitoring }, isUnknown) =>
    elements(resourcesMonitoring).flatMap(([outer, { volumes }]) =>
      elements(volumes).flatMap(([inner, { path }]) =>
        typeof path === "string" && !path.startsWith("/") && !isUnknown(path)
          ? [
              {
                name: "resourcesMonitoring",
                path: [...outer, "volumes", ...inner, "path"],
                message: `is refused by coder unless its provisioner runs on Windows (got ${JSON.stringify(path)})`,
              },
            ]
          : [],
      ),
    ),
  "ADVICE",
);

const requiredAndValidated = refusal(
  "coder validates the empty text when a parameter has no value",
  ({ type = "string", default: value, validation }, isUnknown) => {
    if (isWritten(value) || isUnknown(type)) return undefined;
    return elements(validation)
      .filter(([, { regex }]) => type !== "string" || refusesEmpty(regex, isUnknown))
      .map(([step]) => ({
        name: "validation",
        path: step,
        message:
          "must not stand without a default that passes for coder, which validates the empty text when the template is imported",
      }));
  },
);

function refusesEmpty(regex: unknown, isUnknown: (value: unknown) => boolean): boolean {
  if (typeof regex !== "string" || isUnknown(regex)) return false;
  try {
    return !new RegExp(regex).test("");
  } catch {
    return false;
  }
}

const comparableSchedules = refusal(
  "coder compares the schedules of a preset as numbers",
  ({ prebuilds }, isUnknown) =>
    elements(prebuilds).flatMap(([outer, { scheduling }]) =>
      elements(scheduling).flatMap(([middle, { schedules }]) => {
        const all = elements(schedules);
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
  "ADVICE",
);

const unreleasedSecret = refusal(
  "coder has secrets in releases of its provider after 2.19.0 only",
  ({ file }) => ({
    name: isWritten(file) ? "file" : "env",
    message:
      "needs a release of coder's provider after 2.19.0: up to that one it has no data source for secrets",
  }),
  "ADVICE",
);

/** What the provider of coder refuses, or may refuse, of what we accept. */
export const coderRefusals: Readonly<Record<string, readonly ResourceRule[]>> = {
  workspace_agent: [hostPaths],
  workspace_app: [capitals, idleConflicts],
  workspace_metadata: [resourceId],
  workspace_parameter: [requiredAndValidated],
  workspace_script: [zeroTimeout],
  workspace_secret: [unreleasedSecret],
  workspace_workspace_preset: [comparableSchedules],
};
