import {
  advise,
  atLeastOneOf,
  computed,
  optional,
  required,
  optionalComputed,
  resource,
  t,
  type ResourceRule,
} from "../../schema";
import { isCrontabLine, scriptCronRule } from "./script-cron";
import { urlRule } from "../grammar/url-syntax";
import { agentId, between } from "../grammar/value-rules";

const loginWaitsForAStart: ResourceRule<"startBlocksLogin" | "runOnStart"> = {
  code: "REQUIRES",
  severity: "error",
  inputs: ["startBlocksLogin", "runOnStart"],
  doc: (label) => `\`${label("startBlocksLogin")}\` needs \`${label("runOnStart")}\``,
  broken: ({ startBlocksLogin, runOnStart }, label) =>
    startBlocksLogin === true && runOnStart !== true
      ? {
          name: "startBlocksLogin",
          message: `needs \`${label("runOnStart")}\`: without it, the script does not run at start`,
        }
      : undefined,
};

/** A script that an agent runs. */
export const script = resource("workspace_script", {
  doc: "A script that the agent runs when the workspace starts, before it stops, or at intervals.",
  attributes: {
    agentId,
    displayName: required(t.string(), { doc: "Name that users see." }),
    script: required(t.string(), { doc: "Content of the script." }),
    icon: optional(t.string(urlRule), {
      doc: "URL of an icon. The built-in icons are under `/icon/`.",
    }),
    logPath: optional(t.string(), {
      doc: "Path of the log file in the workspace. A relative path is resolved against the temporary folder. By default, the platform's.",
    }),
    runOnStart: optionalComputed(t.bool(), {
      doc: "Whether the script runs when the workspace starts.",
      default: false,
    }),
    runOnStop: optionalComputed(t.bool(), {
      doc: "Whether the script runs before the workspace stops.",
      default: false,
    }),
    startBlocksLogin: optionalComputed(t.bool(), {
      doc: "Whether users can log in only after the script has ended.",
      default: false,
    }),
    cron: optional(t.string(scriptCronRule), {
      doc:
        "When the script runs: second, minute, hour, day of the month, month and, optionally, weekday; " +
        "or a descriptor such as `@hourly` or `@every 5m`. By default, the script does not run on a schedule.",
    }),
    timeout: optionalComputed(t.integer(between(0)), {
      doc: "Maximum duration of one run, in seconds; 0 means no limit.",
      default: 0,
    }),
    scriptId: computed(t.string(), {
      doc: "ID of the script.",
      wire: "id",
      useStateForUnknown: true,
    }),
  },
  rules: [
    atLeastOneOf("runOnStart", "runOnStop", "cron"),
    loginWaitsForAStart,
    advise({
      code: "script-cron-seconds",
      name: "cron",
      doc: "has five fields like a crontab line, but the first field is the second, not the minute",
      when: ({ cron }) => typeof cron === "string" && isCrontabLine(cron),
    }),
  ],
});
