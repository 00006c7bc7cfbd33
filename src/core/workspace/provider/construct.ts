import { TerraformResource, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { WorkspaceProvider as WorkspaceProviderBinding } from "../../../../bindings/providers/workspace/provider";
import {
  backendIn,
  orNone,
  productOf,
  type StackContext,
  type StackFinding,
  type StackMember,
  ValidationError,
} from "../../construct";
import { isObject, type Properties } from "../../json/plain-json";
import { display, enumValues, optional, stringRule, t, warning } from "../../schema";
import { appShares } from "../app/declare";
import type { AppShare } from "../app/generated";
import { isStoredResource, longestName, tooLongName } from "../product/coder-limits";
import { platformVersion } from "../product/platform-versions";
import { coderSeverity, type Platform, platformLicences } from "../template/platform-facts";
import { platformRequirement } from "../template/platform-requirements";
import { prefixOf } from "../template/terraform-type";
import { workspaceProvider } from "./declare";
import { WorkspaceProviderBase, type WorkspaceProviderBaseProps } from "./generated";

/** The platform that a template is for, as far as it is known. */
export interface PlatformTarget extends Platform {
  /**
   * The share levels that the platform permits for apps.
   *
   * @default all levels
   */
  readonly permittedShareLevels?: readonly AppShare[] | undefined;
}

const version = stringRule([[platformVersion, "must be a version such as 2.28.0"]]);

/** The declaration of a {@link PlatformTarget}. Terraform never sees it. */
const platformTarget = optional(
  t.object({
    version: optional(t.string(version), { doc: "Version of the platform." }),
    licence: optional(t.oneOf(platformLicences), { doc: "Licence of the platform." }),
    permittedShareLevels: optional(t.list(t.oneOf(enumValues(appShares))), {
      doc: "The share levels that the platform permits for apps.",
    }),
    externalAuth: optional(t.list(t.string()), {
      doc: "The IDs of the external logins that administrators have set up.",
    }),
    wildcardHost: optional(t.bool(), {
      doc: "Whether administrators have set up a wildcard host.",
    }),
  }),
  { doc: "The platform that the template is for." },
);

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

const { attributes } = workspaceProvider;

/** The declared settings, and the construct's own. Both are validated together. */
const declaration = {
  ...workspaceProvider,
  attributes: { ...attributes, platform: platformTarget },
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
  protected static override readonly stackRules = [
    platformRequirement,
    stateBackend,
    resourceNames,
  ];

  /** The platform that the template is for; undefined if it was not set. */
  readonly platform: PlatformTarget | undefined;

  constructor(scope: Construct, id: string, props: WorkspaceProviderProps = {}) {
    const settings = withVersion(orNone(props), `${scope.node.path}/${id}`);
    // The binding ignores the platform: it reads only the declared settings.
    super(scope, id, declaration, settings, (...given) => new WorkspaceProviderBinding(...given));
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
      { type: "workspace.WorkspaceProvider", path },
      [{ code: "CONFLICT", severity: "error", path: ["platform", "version"], message }],
      WorkspaceProvider,
    );
  }
  return { ...props, platform: { ...props.platform, version } };
}

const otherState = warning(
  "template-state-backend",
  "a backend keeps the state where the platform does not read it",
);

/**
 * Refuses other backends. The platform reads the state of a build from one file in the build's folder. With
 * another backend, it reports each build as failed after Terraform has applied it, and a deletion destroys
 * nothing.
 */
function* stateBackend(
  [member]: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  if (member === undefined) return;
  const { construct } = member;
  const backend = backendIn(context.nodesOf());
  const product = productOf(construct, "workspace");
  const expected = product.providers["workspace"]?.stateFile;
  if (backend === undefined || expected === undefined) return;
  const got = otherBackend(backend.toTerraform(), expected);
  if (got === undefined) return;
  const message =
    `must not use the backend ${backend.node.path} (${got}): the platform reads the state from ${expected} in ` +
    "the folder of a build. Without it, every build fails, and deleting a workspace destroys nothing. " +
    `Remove ${backend.node.path}, or use new LocalBackend(this, { path: "${expected}" })`;
  yield {
    construct,
    finding: coderSeverity(construct, otherState, "stateFile").at([], message),
  };
}

/** Returns the name of the backend, if the platform does not find the state there. */
function otherBackend(fragment: unknown, expected: string): string | undefined {
  const terraform = objectIn(fragment, "terraform");
  if ("cloud" in terraform) return "cloud";
  const [kind, settings] = Object.entries(objectIn(terraform, "backend"))[0] ?? [];
  if (kind === undefined) return undefined;
  if (kind !== "local") return kind;
  const path = isObject(settings) ? settings["path"] : undefined;
  return path === expected || path === `./${expected}`
    ? undefined
    : `local, ${JSON.stringify(path)}`;
}

function objectIn(value: unknown, name: string): Properties {
  const found = isObject(value) ? value[name] : undefined;
  return isObject(found) ? found : {};
}

const longName = warning(
  "template-long-name",
  "the name of a resource is too long for the platform's database",
);

/**
 * Checks the names of all resources, including those of other providers and the machine's, because the
 * platform stores them.
 */
function* resourceNames(
  [member]: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  if (member === undefined) return;
  const { construct } = member;
  const prefix = prefixOf(member);
  for (const { element } of context.references().elements) {
    if (!TerraformResource.isTerraformResource(element)) continue;
    const { terraformResourceType: type, friendlyUniqueId: name } = element;
    if (!isStoredResource(type, prefix) || name.length <= longestName) continue;
    yield {
      construct,
      finding: coderSeverity(construct, longName, "nameLength").at(
        [],
        `${element.node.path}: ${tooLongName(name, "resource")}`,
      ),
    };
  }
}
