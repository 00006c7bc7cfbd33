/** A configuration, and what Terraform must do with it. What a step does not name is not checked. */
export interface Step {
  /** HCL. `NAME` becomes a name that no other scenario has. */
  readonly config: string;
  /** A part of the error. @default the configuration is applied, and a second plan is empty */
  readonly refused?: string;
  /** The planned action for the last resource of the configuration. */
  readonly action?: "no-op" | "create" | "update" | "replace";
  /** The attributes of this resource that the plan does not know. */
  readonly unknown?: readonly string[];
  /** True if the plan does not know the output. */
  readonly unknownOutput?: boolean;
  /** Planned values of the resource. */
  readonly planned?: Values;
  /** Values of the resource in the state. */
  readonly state?: Values;
  /** The output, and its type in Terraform's JSON. */
  readonly output?: unknown;
  readonly type?: unknown;
  /** What a provider with Go's framework does instead. `{}`: it applies the configuration. @default the same */
  readonly go?: Partial<Omit<Step, "config" | "go">>;
}

export type Values = Readonly<Record<string, unknown>>;

/** What a scenario needs that Terraform 1.11 does not have. */
export interface Need {
  /** The first version of Terraform that can run it, such as `1.12`. */
  readonly from?: string;
  /** The first version of Terraform that cannot run it. */
  readonly below?: string;
  /** What is missing, as the end of a sentence. */
  readonly what: string;
}

/** Configurations that are applied one after another, in one state. */
export interface Scenario {
  /** A clause that no other scenario has. */
  readonly name: string;
  /** @default none: configurations cannot show it */
  readonly steps?: readonly Step[];
  readonly needs?: Need;
  /** A sentence without its full stop: what shows the case instead, or why nothing does. */
  readonly instead?: string;
  /** True if it was tried with a build of Terraform 1.17.0-dev, with the kit and with Go. @default false */
  readonly byHand?: boolean;
  /** True if HashiCorp has it in a provider with SDKv2, in place of the framework. @default false */
  readonly sdk?: boolean;
  /** Why Go's provider cannot be tried. */
  readonly notInGo?: string;
  /** Why Go's provider does something else. */
  readonly why?: string;
}
