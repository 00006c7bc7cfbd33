import type { Construct } from "constructs";
import { WorkspaceProvider as WorkspaceProviderBinding } from "../../../bindings/providers/workspace/provider";
import { ProviderConstruct, type ConstructType } from "../../construct";
import { workspaceProvider } from "./declare";
import { platformTarget, type PlatformTarget } from "./platform-target";
import { platformRequirement } from "../template/platform-requirements";
import type { WorkspaceProviderProps } from "./props";

const { attributes } = workspaceProvider;

/** The declared settings, and what the construct alone takes: both are checked at once. */
const declaration = {
  ...workspaceProvider,
  attributes: { ...attributes, platform: platformTarget },
};

const type: ConstructType = {
  name: "workspace.WorkspaceProvider",
  declaration,
  stackRules: [platformRequirement],
};

/**
 * The provider of cloud development workspaces.
 *
 * The stack requires exactly the version that belongs to this package, unless it chooses another product.
 */
export class WorkspaceProvider extends ProviderConstruct<
  WorkspaceProviderBinding,
  WorkspaceProviderProps
> {
  /** The platform that the template is for; undefined when nothing was said of it. */
  readonly platform: PlatformTarget | undefined;

  /** @throws ValidationError with everything that is wrong with the settings */
  constructor(scope: Construct, id: string, props: WorkspaceProviderProps = {}) {
    // The binding takes the declared settings, and leaves the platform.
    super(scope, id, type, props, (...given) => new WorkspaceProviderBinding(...given));
    this.platform = props.platform && { ...props.platform };
  }

  /** URL of the platform's deployment, as it was given. */
  get url(): string | undefined {
    return this.resource.url;
  }
}
