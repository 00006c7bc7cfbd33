import {
  block,
  computed,
  dataSource,
  optional,
  required,
  optionalComputed,
  t,
  problemRule,
  rule,
} from "../../schema";
import { maxBytes, nonBlankRule, between } from "../grammar/value-rules";
import { scheduleCronRule, schedulesApart } from "./schedule-cron";
import { timeZoneRule } from "../grammar/time-zone";
import { urlProblem } from "../grammar/url-syntax";

const ttl = "must be 0, or from 3600 to 31536000 (an hour to a year)";

const ttlRule = rule(ttl, (z) =>
  z.unknown().check(({ value, issues }) => {
    const seconds = Number(value);
    if (seconds !== 0 && !(seconds >= 3600 && seconds <= 31_536_000)) {
      issues.push({ code: "custom", input: value, message: ttl });
    }
  }),
);

const iconBytes = 256;
const short = `must be at most ${iconBytes} bytes long in UTF-8`;

const iconRule = problemRule(["must be a URL", short], (text) =>
  Buffer.byteLength(text) > iconBytes ? short : urlProblem(text),
);

export const workspacePreset = dataSource("workspace_workspace_preset", {
  doc: "A named set of parameter values that users can choose, with optional prebuilt workspaces.",
  attributes: {
    name: required(t.string(nonBlankRule), { doc: "Name of the preset, which identifies it." }),
    description: optional(t.string(maxBytes(128)), { doc: "Description of the preset." }),
    icon: optional(t.string(iconRule), {
      doc: "URL of an icon. The built-in icons are under `/icon/`.",
    }),
    default: optionalComputed(t.bool(), {
      doc: "Whether the preset is preselected. At most one preset of a template can be.",
      default: false,
    }),
    parameters: optional(t.map(t.string()), {
      doc:
        "Values by parameter name. Users choose the values of all other parameters. The template need not have " +
        "a parameter of that name.",
    }),
    id: computed(t.string(), { doc: "ID of the preset: its name." }),
  },
  blocks: {
    prebuilds: block.set(
      {
        attributes: {
          instances: required(t.integer(between(0)), {
            doc: "Number of prebuilt workspaces, outside of schedules.",
          }),
        },
        blocks: {
          expirationPolicy: block.set(
            {
              attributes: {
                ttl: required(t.integer(ttlRule), {
                  doc: "Seconds after which an unclaimed prebuild is replaced; 0 means never.",
                }),
              },
            },
            { doc: "When prebuilt workspaces expire.", max: 1 },
          ),
          scheduling: block.list(
            {
              attributes: {
                timezone: required(t.string(timeZoneRule), {
                  doc: "Time zone of the schedules: an IANA name such as `Europe/Berlin`, or `UTC`.",
                }),
              },
              blocks: {
                schedules: block.list(
                  {
                    attributes: {
                      cron: required(t.string(scheduleCronRule), {
                        doc:
                          "When the schedule applies: five fields as in a crontab. The first field (the " +
                          "minute) must be `*`.",
                      }),
                      instances: required(t.integer(between(0)), {
                        doc: "Number of prebuilt workspaces while the schedule applies.",
                      }),
                    },
                  },
                  {
                    doc: "A number of workspaces for certain times. Schedules must not overlap.",
                    wire: "schedule",
                    min: 1,
                  },
                ),
              },
              rules: [schedulesApart],
            },
            { doc: "Schedules that change the number of prebuilt workspaces.", max: 1 },
          ),
        },
      },
      { doc: "Prebuilt workspaces for users who choose the preset.", max: 1 },
    ),
  },
});
