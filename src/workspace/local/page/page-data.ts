import type { PlannedChange } from "../terraform/resource-values";

// The JSON that the server sends to the page. The page imports these types.

/** The content of the page's header, and the workspaces to choose from. */
export interface PageOverview {
  /** The folder is as the user wrote it. */
  readonly template: { readonly name: string; readonly folder: string };
  readonly workspaces: readonly WorkspaceSummary[];
  /** Undefined until the template has been imported, which the first build does. */
  readonly prebuilds: readonly PresetPrebuilds[] | undefined;
}

/** A workspace whose agents have a machine is running. One without any resources was never built. */
export type WorkspaceStatus = "running" | "stopped" | "not built";

export interface WorkspaceSummary {
  readonly name: string;
  readonly owner: string;
  /** True for a prebuild that has not been claimed yet. */
  readonly isPrebuild: boolean;
  readonly status: WorkspaceStatus;
}

/** The number of prebuilt workspaces of a preset. */
export interface PresetPrebuilds {
  readonly preset: string;
  /** The number that the template asks for. */
  readonly desired: number;
  /** The names of unclaimed prebuilds with the values of the preset. */
  readonly ready: readonly string[];
}

/** A workspace after its last build. */
export interface WorkspaceView extends WorkspaceSummary {
  /** Values in the last build, by parameter name, without masked ones. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The names of masked parameters. Their values are secrets at the path `["parameters", name]` of no address. */
  readonly masked: readonly string[];
  readonly taskPrompt: string | undefined;
  readonly agents: readonly AgentView[];
  /** Addresses of agents that no resource depends on. The platform drops them. */
  readonly droppedAgents: readonly string[];
  /** The resources of other providers. */
  readonly resources: readonly ResourceView[];
  /** The sum over all resources. */
  readonly dailyCost: number;
}

/** A value to show, or a reference to a secret that the page requests when the user wants to see it. */
export type ShownValue = { readonly text: string } | { readonly secret: SecretReference };

export interface SecretReference {
  readonly address: string;
  readonly path: readonly (string | number)[];
}

export interface AgentView {
  readonly address: string;
  readonly name: string;
  readonly os: string;
  readonly arch: string;
  /** Empty if none is set. */
  readonly directory: string;
  /** Addresses of the resources that it runs on. */
  readonly runsOn: readonly string[];
  readonly token: ShownValue | undefined;
  /** In the order in which the platform shows them. */
  readonly apps: readonly AppView[];
  readonly environment: readonly NamedValue[];
  /** In the order in which they run. */
  readonly scripts: readonly ScriptView[];
  readonly metadata: readonly AgentMetadataView[];
  /** Folders of dev containers. */
  readonly devcontainers: readonly string[];
}

export interface NamedValue {
  readonly name: string;
  readonly value: ShownValue;
}

/** An app. Empty properties are not set. */
export interface AppView {
  readonly slug: string;
  readonly name: string;
  readonly icon: string;
  readonly group: string;
  readonly url: string;
  readonly command: string;
  readonly tooltip: string;
  readonly share: string;
  readonly isExternal: boolean;
  readonly isHidden: boolean;
}

export type ScriptPhase = "start" | "schedule" | "stop";

/** A script in one of the phases in which it runs. */
export interface ScriptView {
  readonly name: string;
  readonly icon: string;
  readonly phase: ScriptPhase;
  /** The cron expression of a schedule; otherwise empty. */
  readonly schedule: string;
  /** The names of the scripts that must have ended before. */
  readonly after: readonly string[];
  readonly blocksLogin: boolean;
  /** In seconds; 0 if there is no limit. */
  readonly timeout: number;
  readonly content: ShownValue;
}

/** A value that an agent reports at intervals. */
export interface AgentMetadataView {
  readonly name: string;
  /** In seconds. */
  readonly interval: number;
  readonly script: string;
}

/** A resource of another provider, with its metadata. */
export interface ResourceView {
  readonly address: string;
  readonly type: string;
  readonly icon: string;
  readonly isHidden: boolean;
  readonly dailyCost: number;
  readonly items: readonly NamedValue[];
}

export const pageActions = ["import", "start", "prebuild", "stop", "claim", "delete"] as const;
export type PageAction = (typeof pageActions)[number];

/** The progress of a build. The first one of a build is `started`, and the last one `finished`. */
export type BuildEvent =
  | { readonly kind: "started"; readonly action: PageAction; readonly workspace: string }
  | { readonly kind: "line"; readonly text: string }
  | ({ readonly kind: "finished" } & BuildOutcome);

export interface BuildOutcome {
  readonly workspace: string;
  readonly outcome: "done" | "failed" | "interrupted";
  /** The result, or the reason for the failure. */
  readonly message: string;
  /** How to fix a failure; otherwise empty. */
  readonly cure: string;
  readonly warnings: readonly string[];
  readonly changes: readonly PlannedChange[];
}
