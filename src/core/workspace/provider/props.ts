import type { WorkspaceProviderBaseProps } from "./generated";
import type { PlatformTarget } from "./platform-target";

/** The settings of a {@link WorkspaceProvider}. */
export interface WorkspaceProviderProps extends WorkspaceProviderBaseProps {
  /**
   * The platform that the template is for, as literal values. Terraform does not see it. Synthesis uses
   * it to find what the platform would refuse, before the stack is deployed.
   *
   * @default any platform
   */
  readonly platform?: PlatformTarget | undefined;
}
