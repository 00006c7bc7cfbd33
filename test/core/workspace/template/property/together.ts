import { isRecord } from "../../../../../src/core/json/plain-json";
import type { Args } from "../../tables";
import { withoutUndefined } from "./valid-args";

/** Makes individually valid arguments satisfy the spec's rules across attributes. */
type Together = (args: Args) => Args;

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== false && value !== "" && !(isRecord(value) && isEmpty(value));

const isEmpty = (value: object): boolean => Array.isArray(value) && value.length === 0;

const list = (value: unknown): readonly Args[] => (Array.isArray(value) ? (value as Args[]) : []);

const uniqueBy = (elements: readonly Args[], name: string): readonly Args[] => [
  ...new Map(elements.map((element) => [element[name], element])).values(),
];

/** Removes values that are not equal to being unset. */
const without = (args: Args, ...names: readonly string[]): Args =>
  Object.fromEntries(
    Object.entries(args).filter(([name, value]) => !names.includes(name) || !isSaid(value)),
  );

function agent({ os, metadatas, resourcesMonitoring, ...rest }: Args): Args {
  const root = os === "windows" ? "C:\\" : "/";
  return withoutUndefined({
    ...rest,
    os,
    metadatas: uniqueBy(list(metadatas), "key"),
    resourcesMonitoring: isRecord(resourcesMonitoring)
      ? monitoring(resourcesMonitoring, root)
      : undefined,
  });
}

function monitoring({ memory, volumes }: Args, root: string): Args | undefined {
  const absolute = list(volumes).map((each) => ({ ...each, path: root + String(each["path"]) }));
  if (memory === undefined && absolute.length === 0) return undefined;
  return withoutUndefined({ memory, volumes: uniqueBy(absolute, "path") });
}

function app(args: Args): Args {
  const pure = isSaid(args["command"])
    ? without(args, "url", "subdomain", "external", "healthcheck")
    : args;
  return pure["external"] === true ? without(pure, "subdomain", "healthcheck", "share") : pure;
}

function script(args: Args): Args {
  const hasTrigger = ["runOnStart", "runOnStop", "cron"].some((name) => isSaid(args[name]));
  const waits = args["startBlocksLogin"] === true;
  return hasTrigger && !waits ? args : { ...args, runOnStart: true };
}

/** Exactly one of two. */
const either =
  (first: string, second: string, otherwise: unknown): Together =>
  (args) => {
    const { [second]: other, ...rest } = args;
    if (rest[first] !== undefined) return rest;
    return other === undefined ? { ...rest, [first]: otherwise } : args;
  };

function preset(args: Args): Args {
  const { prebuilds } = args;
  if (!isRecord(prebuilds) || !isRecord(prebuilds["scheduling"])) return args;
  const { scheduling } = prebuilds;
  const all = list(scheduling["schedules"]);
  // Each has its own hours, unless there is only one.
  const schedules = all.map((each, index) => {
    if (all.length === 1) return each;
    const [minute, , ...days] = String(each["cron"]).split(" ");
    return { ...each, cron: [minute, `${index * 6}-${index * 6 + 5}`, ...days].join(" ") };
  });
  return { ...args, prebuilds: { ...prebuilds, scheduling: { ...scheduling, schedules } } };
}

/** By the type in Terraform; parameters are generated separately. */
export const together: Readonly<Record<string, Together>> = {
  workspace_agent: agent,
  workspace_ai_task: either("appId", "sidebarApp", "7d9f2c1e-5b3a-4c8d-9e0f-1a2b3c4d5e6f"),
  workspace_app: app,
  workspace_metadata: (args) => ({ ...args, items: uniqueBy(list(args["items"]), "key") }),
  workspace_script: script,
  workspace_secret: either("env", "file", "TOKEN"),
  workspace_workspace_preset: preset,
};
