/** What a build is asked to do. */
export type Transition = "start" | "stop" | "delete";

export interface BuildRequest {
  readonly transition: Transition;
  /** @default "dev" */
  readonly workspace?: string | undefined;
  /**
   * The owner's login name. A workspace keeps its owner.
   *
   * @default the workspace's owner; "dev" for a new one
   */
  readonly owner?: string | undefined;
  /** Inputs by the parameters' names. What is left out keeps the value of the build before. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** The inputs of this preset; `parameters` win over them. */
  readonly preset?: string | undefined;
  /** Build a new workspace ahead, for nobody yet. Only with `start`. */
  readonly prebuild?: boolean | undefined;
  /** Give a workspace that was built ahead to its owner. Only with `start`. */
  readonly claim?: boolean | undefined;
  /** Access tokens of external providers by their ids. */
  readonly externalAuth?: Readonly<Record<string, string>> | undefined;
  /** The owner's secrets by the names of variables. */
  readonly secretEnv?: Readonly<Record<string, string>> | undefined;
  /** The owner's secrets by the paths of files, written as in the template. */
  readonly secretFiles?: Readonly<Record<string, string>> | undefined;
  /** Make it a task's workspace, with this prompt. Only when it is new. */
  readonly taskPrompt?: string | undefined;
  /** Terraform's input variables. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}
