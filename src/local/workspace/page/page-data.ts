import type { PlannedChange } from "../terraform/resource-values";
import type { PlatformView } from "../view/seen";

// The JSON that the server sends to the page. The page imports these types.

/** The content of the page's header, and the workspaces to choose from. */
export interface PageOverview {
  /** The folder is as the user wrote it. */
  readonly template: { readonly name: string; readonly folder: string };
  readonly workspaces: readonly WorkspaceSummary[];
  /** Undefined until the template has been imported, which the first build does. */
  readonly prebuilds: readonly PresetPrebuilds[] | undefined;
}

/** The status after the last build: what it did, or that it failed. */
export type WorkspaceStatus = "running" | "stopped" | "failed" | "not built";

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
export interface WorkspaceView
  extends
    WorkspaceSummary,
    Pick<PlatformView, "agents" | "droppedAgents" | "resources" | "dailyCost"> {
  /** Values in the last build, by parameter name, without masked ones. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The names of masked parameters. Their values are secrets at the path `["parameters", name]` of no address. */
  readonly masked: readonly string[];
  readonly taskPrompt: string | undefined;
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
