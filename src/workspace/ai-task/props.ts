import type { MetaArguments } from "../../construct";

/** The app that is shown in the sidebar. */
export interface AiTaskSidebarApp {
  /** ID of the app (a UUID). */
  readonly id: string;
}

/** The properties of an {@link AiTask}. Exactly one of `appId` and `sidebarApp` is required. */
export interface AiTaskProps extends MetaArguments {
  /**
   * ID of the app that shows the task: the `appId` of an {@link App} (a UUID).
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
