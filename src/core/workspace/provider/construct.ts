import { TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { WorkspaceProvider as WorkspaceProviderBinding } from "../../../../bindings/providers/workspace/provider";
import { orNone, type ConstructType, ValidationError } from "../../construct";
import { display } from "../../schema";
import { workspaceProvider } from "./declare";
import { platformTarget, type PlatformTarget } from "./platform-target";
import { platformRequirement } from "../template/platform-requirements";
import { resourceNames } from "../template/resource-names";
import { stateBackend } from "../template/state-backend";
import { WorkspaceProviderBase } from "./generated";
import type { WorkspaceProviderProps } from "./props";

const { attributes } = workspaceProvider;

/** The declared settings, and those that only the construct has. Both are validated together. */
const declaration = {
  ...workspaceProvider,
  attributes: { ...attributes, platform: platformTarget },
};

const type: ConstructType = {
  name: "workspace.WorkspaceProvider",
  declaration,
  stackRules: [platformRequirement, stateBackend, resourceNames],
};

/**
 * The provider of cloud development workspaces.
 *
 * The stack requires exactly this package's version of the provider, unless it uses another product.
 *
 * See the guide `docs/guide/first-template.md` in this package.
 *
 * @example
 * ```ts
 * new workspace.WorkspaceProvider(this, "workspace");
 * ```
 */
export class WorkspaceProvider extends WorkspaceProviderBase<WorkspaceProviderProps> {
  /** The platform that the template is for; undefined if it was not set. */
  readonly platform: PlatformTarget | undefined;

  constructor(scope: Construct, id: string, props: WorkspaceProviderProps = {}) {
    const settings = withVersion(orNone(props), `${scope.node.path}/${id}`);
    // The binding ignores the platform: it reads only the declared settings.
    super(scope, id, type, settings, (...given) => new WorkspaceProviderBinding(...given));
    const { platform } = settings;
    this.platform = platform && { ...platform };
    const { version } = platform ?? {};
    // The local platform reads it. Terraform ignores the whole property.
    if (version !== undefined) TerraformStack.of(this).addOverride("//.platformVersion", version);
  }
}

/** Adds the version of the product, if it has one, to the platform. */
function withVersion(props: WorkspaceProviderProps, path: string): WorkspaceProviderProps {
  const version = props.product?.version;
  if (version === undefined) return props;
  const given = props.platform?.version ?? version;
  if (given !== version) {
    const message = `must be omitted, or be the version of the product, ${display(version)} (got ${display(given)})`;
    throw new ValidationError(
      { type: type.name, path },
      [{ code: "CONFLICT", severity: "error", path: ["platform", "version"], message }],
      WorkspaceProvider,
    );
  }
  return { ...props, platform: { ...props.platform, version } };
}
