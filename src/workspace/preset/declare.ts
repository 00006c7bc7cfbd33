import { block, computed, dataSource, optional, required, optionalComputed, t } from "../../schema";
import { maxBytes } from "../grammar/byte-length";
import { scheduleCronRule } from "./schedule-cron";
import { timeZoneRule } from "../grammar/time-zone";
import { iconRule, ttlRule } from "./value-rules";
import { schedulesApart } from "./schedules-apart";
import { nonBlankRule } from "../grammar/non-blank";
import { between } from "../grammar/whole-number";

/** A named set of parameter values. */
export const workspacePreset = dataSource("workspace_workspace_preset", {
  doc: "A named set of parameter values that users can choose, with optional prebuilt workspaces.",
  attributes: {
    name: required(t.string(nonBlankRule), { doc: "Name of the preset, which identifies it." }),
    description: optional(t.string(maxBytes(128)), { doc: "What the preset is for." }),
    icon: optional(t.string(iconRule), {
      doc: "URL of an icon. The built-in icons are under `/icon/`.",
    }),
    default: optionalComputed(t.bool(), {
      doc: "Whether the preset is preselected. At most one preset of a template can be.",
      default: false,
    }),
    parameters: optional(t.map(t.string()), {
      doc: "Values by parameter name. Users choose the values of all other parameters.",
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
