export type Transition = "start" | "stop" | "delete";

export interface BuildRequest {
  readonly transition: Transition;
  /** Name of the workspace. @default "dev" */
  readonly workspace?: string | undefined;
  /**
   * The owner's user name. It cannot be changed later.
   *
   * @default the workspace's owner; "dev" for a new one
   */
  readonly owner?: string | undefined;
  /** Inputs by parameter name. Other parameters keep the value of the previous build. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /**
   * Name of a preset, or `none`. Its values replace those of `parameters`.
   *
   * @default the default preset for a new workspace, otherwise none
   */
  readonly preset?: string | undefined;
  /** Prebuilds a new workspace, without an owner yet. Only with `start`. */
  readonly prebuild?: boolean | undefined;
  /** Assigns a prebuilt workspace to its owner. Only with `start`. */
  readonly claim?: boolean | undefined;
  /** Access tokens by the ID of the external provider. */
  readonly externalAuth?: Readonly<Record<string, string>> | undefined;
  /** The owner's secrets by environment variable name. */
  readonly secretEnv?: Readonly<Record<string, string>> | undefined;
  /** The owner's secrets by file path, as written in the template. */
  readonly secretFiles?: Readonly<Record<string, string>> | undefined;
  /** Prompt of an AI task that the workspace runs. Only for a new workspace. */
  readonly taskPrompt?: string | undefined;
  /** Terraform input variables. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}
