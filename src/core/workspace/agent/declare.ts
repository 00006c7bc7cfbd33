import {
  atLeastOneOf,
  block,
  computed,
  optional,
  required,
  optionalComputed,
  resource,
  t,
  uniqueIn,
  enumMeanings,
  enumValues,
  type ResourceRule,
} from "../../schema";
import { coderAuths } from "../product/coder-names";
import { agentId, between, nonBlankRule, volumePaths } from "../grammar/value-rules";

/** Requires that the paths of an agent's monitored volumes are absolute on the agent's operating system. */
const absoluteVolumePaths: ResourceRule<"os" | "resourcesMonitoring"> = {
  code: "INVALID_ARGUMENT",
  severity: "error",
  inputs: ["os", "resourcesMonitoring"],
  doc: () => "the path of a volume must be absolute on the agent's operating system",
  broken: ({ os, resourcesMonitoring }, _label, isUnknown) => {
    if (os !== "linux" && os !== "darwin" && os !== "windows") return undefined;
    // A separate rule reports an empty path.
    return volumePaths(resourcesMonitoring, isUnknown)
      .filter(([, path]) => path.trim() !== "" && !isAbsolutePath(path, os))
      .map(([place, path]) => ({
        name: "resourcesMonitoring",
        path: place,
        message: `must be absolute on ${os} (got ${JSON.stringify(path)})`,
      }));
  },
};

/** `C:\…`, `C:/…`, or a share such as `\\server\share`. A drive alone or a leading `\` is relative. */
const windows = /^(?:[A-Za-z]:[\\/]|[\\/]{2}[^\\/]+[\\/]+[^\\/]+)/;

/** Checks whether a path is absolute on an operating system, which may differ from this machine's. */
export function isAbsolutePath(path: string, os: "linux" | "darwin" | "windows"): boolean {
  return os === "windows" ? windows.test(path) : path.startsWith("/");
}

/** The operating system of a workspace's machine. */
export const operatingSystems = {
  linux: "Linux",
  darwin: "macOS",
  windows: "Windows",
} as const;

/** The processor architecture of a workspace's machine. */
export const architectures = {
  amd64: "64-bit x86",
  armv7: "32-bit Arm",
  arm64: "64-bit Arm",
} as const;

/** How an agent authenticates to the platform. */
export const agentAuths = {
  token: "uses its token",
  "cloudA-instance-identity": "uses the identity of its virtual machine in cloud A",
  "cloudB-instance-identity": "uses the identity of its virtual machine in cloud B",
  "cloudC-instance-identity": "uses the identity of its virtual machine in cloud C",
} as const;

/** Which routes of the platform an agent's token may call. */
export const apiKeyScopes = {
  all: "grants full access",
  no_user_data: "blocks `/external-auth`, `/gitsshkey` and `/gitauth`",
} as const;

/** The effect of the startup script on logins. */
export const startupScriptBehaviors = {
  blocking: "makes users wait until the script has ended",
  "non-blocking": "lets users log in while the script runs",
} as const;

const threshold = required(t.integer(between(0, 100)), {
  doc: "Percentage of use, from 0 to 100, at which users are notified.",
});

/** An agent, which connects a workspace's machine to the platform. */
export const agent = resource("workspace_agent", {
  doc:
    "An agent connects a machine of the workspace to the platform. Another resource, such as the machine, " +
    "must use its `token` or `init_script`: the platform drops an agent that no other resource depends on. " +
    "Its name in Terraform is the agent's name.",
  attributes: {
    os: required(t.oneOf(enumValues(operatingSystems)), {
      doc: "Operating system of the machine.",
      requiresReplace: true,
    }),
    arch: required(t.oneOf(enumValues(architectures)), {
      doc: "Processor architecture of the machine.",
      requiresReplace: true,
    }),
    auth: optionalComputed(t.oneOf(enumValues(agentAuths), coderAuths), {
      doc: `How the agent authenticates: ${enumMeanings(agentAuths)}`,
      default: "token",
      requiresReplace: true,
    }),
    apiKeyScope: optionalComputed(t.oneOf(enumValues(apiKeyScopes)), {
      doc: `Which routes of the platform the agent's token may call: ${enumMeanings(apiKeyScopes)}`,
      default: "all",
    }),
    connectionTimeout: optionalComputed(t.integer(between(0)), {
      doc: "Seconds after which an agent that has not connected is marked as timed out; 0 means never.",
      default: 120,
    }),
    dir: optional(t.string(), {
      doc: "Directory in which shell sessions start. By default `$HOME`.",
      deprecated: "set the directory in the startup script or in the image instead",
    }),
    env: optional(t.map(t.string()), {
      doc: "Environment variables inside the workspace, by name. No `workspace_env` can overwrite them.",
    }),
    motdFile: optional(t.string(), {
      doc: "Path in the workspace of a message that is shown to users at SSH login.",
    }),
    order: optional(t.integer(), {
      doc: "Position of the agent in the user interface: lowest first, then by name.",
    }),
    startupScript: optional(t.string(), {
      doc: "Script that runs after the agent has started: a `workspace_script` with `run_on_start`.",
    }),
    startupScriptBehavior: optionalComputed(t.oneOf(enumValues(startupScriptBehaviors)), {
      doc: `Effect of the startup script on logins: ${enumMeanings(startupScriptBehaviors)}`,
      default: "non-blocking",
    }),
    shutdownScript: optional(t.string(), {
      doc:
        "Script that runs before the agent stops. The workspace stops only when it has ended: " +
        "a `workspace_script` with `run_on_stop`.",
    }),
    troubleshootingUrl: optional(t.string(), {
      doc: "URL of instructions for an agent that does not connect.",
    }),
    agentId: computed(t.string(), {
      doc: "ID of the agent.",
      wire: "id",
      useStateForUnknown: true,
    }),
    initScript: computed(t.string(), {
      doc: "Script that starts the agent. The machine runs it at boot.",
      useStateForUnknown: true,
    }),
    token: computed(t.string(), {
      doc:
        "Value of `TRIVET_AGENT_TOKEN`, with which the agent authenticates. It stays the same until the " +
        "workspace is stopped.",
      sensitive: true,
      useStateForUnknown: true,
    }),
  },
  blocks: {
    displayApps: block.set(
      {
        attributes: {
          editor: optionalComputed(t.bool(), { doc: "Shows the desktop editor.", default: true }),
          editorInsiders: optionalComputed(t.bool(), {
            doc: "Shows the desktop editor's preview edition.",
            default: false,
          }),
          webTerminal: optionalComputed(t.bool(), {
            doc: "Shows the web terminal.",
            default: true,
          }),
          sshHelper: optionalComputed(t.bool(), {
            doc: "Shows how to connect by SSH.",
            default: true,
          }),
          portForwardingHelper: optionalComputed(t.bool(), {
            doc: "Shows how to forward ports.",
            default: true,
          }),
        },
      },
      {
        doc: "Built-in apps in the agent's bar. By default, each app has its own default.",
        max: 1,
      },
    ),
    metadatas: block.list(
      {
        attributes: {
          key: required(t.string(), { doc: "Name of the item, unique in the agent." }),
          script: required(t.string(), { doc: "Script whose output is shown." }),
          interval: required(t.integer(), { doc: "Seconds between runs of the script." }),
          displayName: optional(t.string(), { doc: "Name that users see. By default the key." }),
          timeout: optional(t.integer(), {
            doc: "Maximum duration of one run, in seconds. By default, the platform's.",
          }),
          order: optional(t.integer(), { doc: "Position of the item: lowest first, then by key." }),
        },
      },
      {
        doc: "Metadata items that the agent reports at intervals. An alpha feature.",
        wire: "metadata",
      },
    ),
    resourcesMonitoring: block.set(
      {
        attributes: {},
        blocks: {
          memory: block.set(
            {
              attributes: {
                enabled: required(t.bool(), { doc: "Whether memory is monitored." }),
                threshold,
              },
            },
            { doc: "Monitoring of the memory.", max: 1 },
          ),
          volumes: block.set(
            {
              attributes: {
                path: required(t.string(nonBlankRule), {
                  doc: "Path of the volume, absolute on the agent's operating system.",
                }),
                enabled: required(t.bool(), { doc: "Whether the volume is monitored." }),
                threshold,
              },
            },
            { doc: "Monitoring of a volume.", wire: "volume" },
          ),
        },
        rules: [atLeastOneOf("memory", "volumes"), uniqueIn("volumes", "path")],
      },
      { doc: "Monitoring of the machine's resources. By default, nothing is monitored.", max: 1 },
    ),
  },
  rules: [uniqueIn("metadatas", "key"), absoluteVolumePaths],
});

/** The virtual machine of an agent that authenticates with an instance identity. */
export const agentInstance = resource("workspace_agent_instance", {
  doc:
    "The virtual machine of an agent that authenticates with an instance identity. " +
    "For several kinds of virtual machines, the platform finds the ID without this resource.",
  attributes: {
    agentId,
    instanceId: required(t.string(), { doc: "ID that the cloud assigns to the virtual machine." }),
    agentInstanceId: computed(t.string(), {
      doc: "ID of the resource.",
      wire: "id",
      useStateForUnknown: true,
    }),
  },
});

/** Marks an agent as running on a machine that the template does not create. */
export const externalAgent = resource("workspace_external_agent", {
  doc:
    "Marks an agent as running on a machine that the template does not create. Needs a premium licence " +
    "of the platform.",
  attributes: {
    agentId,
    externalAgentId: computed(t.string(), {
      doc: "ID of the resource.",
      wire: "id",
      useStateForUnknown: true,
    }),
  },
});
