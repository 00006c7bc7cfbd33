import { block, computed, dataSource, optional, required, optionalComputed, t } from "../../schema";
import { maxBytes } from "../grammar/byte-length";
import { scheduleCronRule } from "./schedule-cron";
import { timeZoneRule } from "../grammar/time-zone";
import { iconRule, ttlRule } from "./value-rules";
import { schedulesApart } from "./schedules-apart";
import { nonBlankRule } from "../grammar/text";
import { between } from "../grammar/whole-number";

/** Parameter values under one name. */
export const workspacePreset = dataSource("workspace_workspace_preset", {
  doc: "Values of parameters that users choose together by one name, and workspaces that stand ready for it.",
  attributes: {
    name: required(t.string(nonBlankRule), { doc: "Name of the preset, which identifies it." }),
    description: optional(t.string(maxBytes(128)), { doc: "What the preset is for." }),
    icon: optional(t.string(iconRule), {
      doc: "URL of an icon; built-in ones stand under `/icon/`.",
    }),
    default: optionalComputed(t.bool(), {
      doc: "Whether users find the preset chosen. At most one preset of a template is.",
      default: false,
    }),
    parameters: optional(t.map(t.string()), {
      doc: "Values by the parameters' names. Users choose the values of all other parameters.",
    }),
    id: computed(t.string(), { doc: "ID of the preset: its name." }),
  },
  blocks: {
    prebuilds: block.set(
      {
        attributes: {
          instances: required(t.integer(between(0)), {
            doc: "How many workspaces stand ready, unless the schedule says otherwise.",
          }),
        },
        blocks: {
          expirationPolicy: block.set(
            {
              attributes: {
                ttl: required(t.integer(ttlRule), {
                  doc: "Seconds after which a workspace that nobody was given is replaced; 0 is never.",
                }),
              },
            },
            { doc: "When a workspace that stands ready is too old.", max: 1 },
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
                          "When the schedule holds: five fields as in a crontab, the first of which " +
                          "(the minute) is `*`.",
                      }),
                      instances: required(t.integer(between(0)), {
                        doc: "How many workspaces stand ready while the schedule holds.",
                      }),
                    },
                  },
                  {
                    doc: "A number for a part of the time. Schedules do not overlap.",
                    wire: "schedule",
                    min: 1,
                  },
                ),
              },
              rules: [schedulesApart],
            },
            { doc: "How many workspaces stand ready when.", max: 1 },
          ),
        },
      },
      { doc: "Workspaces that stand ready for users who choose the preset.", max: 1 },
    ),
  },
});
