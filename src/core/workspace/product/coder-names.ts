/** How an agent authenticates, by coder's names. */
export const coderAuths = {
  "google-instance-identity": "cloudA-instance-identity",
  "aws-instance-identity": "cloudB-instance-identity",
  "azure-instance-identity": "cloudC-instance-identity",
} as const;

/** Names of attributes and blocks that are coder's own, by our types and names. */
const names = {
  workspace_agent: {
    "display_apps.editor": "vscode",
    "display_apps.editor_insiders": "vscode_insiders",
  },
} as const;

/** Values of enums that are coder's own. */
const enums = {
  workspace_agent: {
    auth: Object.fromEntries(Object.entries(coderAuths).map(([theirs, ours]) => [ours, theirs])),
  },
} as const;

/** The provider `coder/coder`, with its own names for things that we name neutrally. */
export const coderProvider = { source: "coder/coder", typePrefix: "coder", names, enums } as const;

/** The states that can become ours. The schema version 0 is that of releases before 2.0. */
export const coderStates = {
  ...coderProvider,
  sources: [coderProvider.source],
  versions: [0, 1],
  nulls: { workspace_metadata: { "item.value": "is_null" } },
} as const;
