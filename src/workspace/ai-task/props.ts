import type { MetaArguments } from "../../construct";

/** The app that is shown in the sidebar. */
export interface AiTaskSidebarApp {
  /** ID of the app (a UUID). */
  readonly id: string;
}

/** The properties of an {@link AiTask}; exactly one of `appId` and `sidebarApp` is given. */
export interface AiTaskProps extends MetaArguments {
  /**
   * ID of the app that shows the task: its `appId` (a UUID).
   *
   * @default the ID of `sidebarApp`
   */
  readonly appId?: string | undefined;
  /**
   * App that is shown in the sidebar.
   *
   * @default none
   * @deprecated use `appId` instead
   */
  readonly sidebarApp?: AiTaskSidebarApp | undefined;
}
