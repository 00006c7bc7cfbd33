// What the platform sees of a template or a workspace. The reports, the page and the folder for state have these types.

/** The platform's view of a plan or a state. Secrets are replaced by references. */
export interface PlatformView {
  /** The agents that belong to a resource. The platform drops all others. In the order in which it shows them. */
  readonly agents: readonly SeenAgent[];
  /** Addresses of agents that no resource depends on: the platform drops them. */
  readonly droppedAgents: readonly string[];
  /** Addresses of apps, scripts and other parts for which no agent was found. */
  readonly unattached: readonly string[];
  /** The resources of other providers. */
  readonly resources: readonly SeenResource[];
  /** The sum over all resources. */
  readonly dailyCost: number;
  readonly parameters: readonly SeenParameter[];
  readonly presets: readonly SeenPreset[];
  readonly externalAuth: readonly SeenExternalAuth[];
}

/** A value to show, or a reference to a secret that users see only on request. */
export type ShownValue = { readonly text: string } | { readonly secret: SecretReference };

export interface SecretReference {
  readonly address: string;
  readonly path: ValuePath;
}

export type ValuePath = readonly (string | number)[];

export interface NamedValue {
  readonly name: string;
  readonly value: ShownValue;
}

/** What belongs to an agent, or to the agent inside a dev container. */
interface SeenParts {
  /** In the order in which the platform shows them. */
  readonly apps: readonly SeenApp[];
  readonly environment: readonly NamedValue[];
  /** In the order in which they run. */
  readonly scripts: readonly SeenScript[];
}

export interface SeenAgent extends SeenParts {
  readonly address: string;
  readonly name: string;
  /** Empty during the plan. */
  readonly id: string;
  readonly os: string;
  readonly arch: string;
  readonly auth: string;
  /** Empty if none is set. */
  readonly directory: string;
  /** The resource that it belongs to, without the keys of instances. */
  readonly resource: string;
  readonly token: ShownValue | undefined;
  readonly metadata: readonly SeenAgentMetadata[];
  readonly devcontainers: readonly SeenDevcontainer[];
}

export interface SeenDevcontainer extends SeenParts {
  readonly folder: string;
}

/** An app. Empty properties are not set, or secret. */
export interface SeenApp {
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

export interface SeenScript {
  readonly name: string;
  readonly icon: string;
  /** When it runs. */
  readonly phases: readonly ScriptPhase[];
  /** The cron expression of a schedule; otherwise empty. */
  readonly schedule: string;
  /** The names of the scripts that must have ended before. */
  readonly after: readonly string[];
  readonly blocksLogin: boolean;
  /** In seconds; 0 if there is no limit. */
  readonly timeout: number;
  readonly content: ShownValue;
}

export interface SeenAgentMetadata {
  readonly name: string;
  /** In seconds. */
  readonly interval: number;
  readonly script: string;
}

/** A resource of another provider, with its metadata. */
export interface SeenResource {
  readonly address: string;
  readonly type: string;
  readonly icon: string;
  readonly isHidden: boolean;
  readonly dailyCost: number;
  readonly items: readonly NamedValue[];
}

export interface SeenParameter {
  readonly address: string;
  readonly name: string;
  readonly type: string;
  /** Undefined if it is sensitive. */
  readonly value: string | undefined;
  /** True if an input is optional, because the parameter has a default. */
  readonly optional: boolean;
  readonly mutable: boolean;
  readonly ephemeral: boolean;
  /** True if the form masks the value, or if Terraform considers it sensitive. */
  readonly isMasked: boolean;
}

export interface SeenPreset {
  readonly name: string;
  readonly isDefault: boolean;
  readonly parameters: Readonly<Record<string, string>>;
  /** Number of workspaces to prebuild. */
  readonly prebuilds: number;
}

export interface SeenExternalAuth {
  readonly id: string;
  readonly optional: boolean;
}
