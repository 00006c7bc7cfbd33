import type { Product } from "../../construct";
import type { PlatformTarget } from "./platform-target";

/** The settings of a {@link WorkspaceProvider}. */
export interface WorkspaceProviderProps {
  /**
   * URL of the platform's deployment: http or https, without user, query string and fragment.
   *
   * @default TRIVET_AGENT_URL, which the platform sets for every build; outside a build
   * `https://workspace.example.com`
   */
  readonly url?: string | undefined;
  /**
   * Name by which resources and data sources select this provider if a stack has several.
   *
   * @default none: this is the default provider
   */
  readonly alias?: string | undefined;
  /**
   * The product whose provider Terraform uses, such as `products.coder`. A stack uses one product for
   * all workspace constructs: create the provider that selects it before them.
   *
   * @default the stack's product: this package, unless another provider construct selects one
   */
  readonly product?: Product | undefined;
  /**
   * The platform that the template is for, as literal values. Terraform does not see it. Synthesis uses
   * it to find what the platform would refuse, before the stack is deployed.
   *
   * @default any platform
   */
  readonly platform?: PlatformTarget | undefined;
}
