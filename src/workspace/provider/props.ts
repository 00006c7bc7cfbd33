import type { Product } from "../../construct";
import type { PlatformTarget } from "./platform-target";

/** The settings of a {@link WorkspaceProvider}. */
export interface WorkspaceProviderProps {
  /**
   * URL of the platform's deployment: http or https, without user, query and fragment.
   *
   * @default TRIVET_AGENT_URL, which a build of the platform always has; without a build
   * `https://workspace.example.com`
   */
  readonly url?: string | undefined;
  /**
   * Name by which resources and data sources choose this provider, where a stack has several.
   *
   * @default none: the provider of all that choose none
   */
  readonly alias?: string | undefined;
  /**
   * The product whose provider Terraform is to use, such as `products.coder`. A stack has one for all
   * workspace constructs: the provider that chooses it is made before them.
   *
   * @default the stack's, which is this package unless a provider has chosen another one
   */
  readonly product?: Product | undefined;
  /**
   * The platform that the template is for, by literal values. Terraform does not see it: it lets a stack
   * that the platform would refuse be found before it is deployed.
   *
   * @default any platform
   */
  readonly platform?: PlatformTarget | undefined;
}
