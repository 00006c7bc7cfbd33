import type { ResourceRule } from "../../schema";

/**
 * A product's names for one of our providers.
 *
 * Records are keyed by our Terraform type (`workspace_agent`), and below that by the path of an
 * attribute in our Terraform names (`auth`; inside a block, `display_apps.editor`).
 */
export interface ProductProvider {
  /** The provider's source address: `trivet.local/trivet/ids`. */
  readonly source: string;
  /**
   * The version constraint that a stack requires.
   *
   * @default for a provider of this package, exactly the version that belongs to it; otherwise none
   */
  readonly version?: string | undefined;
  /** The prefix of resource types (`ids` in `ids_endpoint`), and the provider's name in a stack. */
  readonly typePrefix: string;
  /**
   * Names of attributes and blocks that differ: `{ "display_apps.editor": "vscode" }`.
   *
   * @default the same names
   */
  readonly names?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /**
   * Enum values that differ: `{ auth: { "cloudA-instance-identity": "…" } }`.
   *
   * @default the same values
   */
  readonly enums?:
    | Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>
    | undefined;
  /**
   * Rules on values that the product lacks or refuses, by our names. Messages contain the product's name.
   *
   * @default none
   */
  readonly refusals?: Readonly<Record<string, readonly ResourceRule[]>> | undefined;
  /**
   * Data sources that the platform reads in native syntax only, with the names of the files that they are
   * written to, next to the stack's JSON: `{ workspace_workspace_tags: "workspace-tags.tf" }`. The
   * variables, locals, modules and other data sources that they refer to are written to the same file.
   *
   * @default none: everything is in the JSON
   */
  readonly nativeFiles?: Readonly<Record<string, string>> | undefined;
  /**
   * True if the provider updates no resource: it replaces one when any of its arguments changes.
   *
   * @default only attributes with `requiresReplace` replace a resource
   */
  readonly replacesChanged?: boolean | undefined;
  /**
   * The file from which the platform reads the state of a build. A stack without a backend gets a local one
   * with this path.
   *
   * @default the default of cdktf
   */
  readonly stateFile?: string | undefined;
}

/** A product for which our constructs can be used. */
export interface Product {
  /** Used in messages, and as the prefix of type tokens (`trivet:ids/v1:Endpoint`). */
  readonly name: string;
  /**
   * The version of the platform that a stack is for, such as `2.26`. Rules of other versions are left out.
   *
   * @default the newest version whose rules are known
   */
  readonly version?: string | undefined;
  /** The prefix of environment variables (`TRIVET_STACK_TRACES`). */
  readonly environmentPrefix: string;
  /** The product's providers, by our names: `ids`, `workspace`, `signing`. */
  readonly providers: Readonly<Record<string, ProductProvider>>;
}

/** Returns the source address of a provider of this package: `trivet.local/trivet/ids`. */
export function providerSource(name: string): string {
  return `trivet.local/trivet/${name}`;
}

/**
 * The data sources that a platform reads before it runs Terraform. In JSON, it does not see blocks inside
 * blocks, such as the options of a parameter.
 *
 * @see https://github.com/coder/preview
 */
const readByPreview = {
  workspace_parameter: "workspace-parameters.tf",
  workspace_workspace_preset: "workspace-presets.tf",
  workspace_workspace_tags: "workspace-tags.tf",
  workspace_secret: "workspace-secrets.tf",
  workspace_workspace_owner: "workspace-owner.tf",
} as const;

const own = (name: string): ProductProvider => ({ source: providerSource(name), typePrefix: name });

/** This package as a product. */
export const product = {
  name: "trivet",
  environmentPrefix: "TRIVET",
  providers: {
    ids: own("ids"),
    // The files are written for every product, so that a template works on every platform.
    workspace: {
      ...own("workspace"),
      nativeFiles: readByPreview,
      stateFile: "terraform.tfstate",
    },
    signing: own("signing"),
  },
} as const satisfies Product;
