import type { IResolvable } from "cdktf";

/** Which built-in apps an agent's bar shows. */
export interface AgentDisplayApps {
  /**
   * Whether the desktop editor is shown.
   *
   * @default true
   */
  readonly editor?: boolean | IResolvable | undefined;
  /**
   * Whether the desktop editor's preview edition is shown.
   *
   * @default false
   */
  readonly editorInsiders?: boolean | IResolvable | undefined;
  /**
   * Whether the web terminal is shown.
   *
   * @default true
   */
  readonly webTerminal?: boolean | IResolvable | undefined;
  /**
   * Whether the bar shows how to connect by SSH.
   *
   * @default true
   */
  readonly sshHelper?: boolean | IResolvable | undefined;
  /**
   * Whether the bar shows how to forward ports.
   *
   * @default true
   */
  readonly portForwardingHelper?: boolean | IResolvable | undefined;
}
