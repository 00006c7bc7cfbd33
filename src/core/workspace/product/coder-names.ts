/** How an agent authenticates, by coder's names. */
export const coderAuths = {
  "google-instance-identity": "cloudA-instance-identity",
  "aws-instance-identity": "cloudB-instance-identity",
  "azure-instance-identity": "cloudC-instance-identity",
} as const;

/** Coder's own names of attributes and blocks, by the types and names of this package. */
const names = {
  workspace_agent: {
    "display_apps.editor": "vscode",
    "display_apps.editor_insiders": "vscode_insiders",
  },
} as const;

/** Coder's own values of enums. */
const enums = {
  workspace_agent: {
    auth: Object.fromEntries(
      Object.entries(coderAuths).map(([coders, neutral]) => [neutral, coders]),
    ),
  },
} as const;

/** The provider `coder/coder`, with its own names. */
export const coderProvider = { source: "coder/coder", typePrefix: "coder", names, enums } as const;

/** The states that can be moved to this provider. Releases before 2.0 have schema version 0. */
export const coderStates = {
  ...coderProvider,
  sources: [coderProvider.source],
  versions: [0, 1],
  nulls: { workspace_metadata: { "item.value": "is_null" } },
} as const;
