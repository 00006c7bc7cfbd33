import type { ResourceRule } from "../../schema";

/**
 * How a product speaks through one of our providers.
 *
 * Records are keyed by our Terraform type (`workspace_agent`), and below that by the path of an
 * attribute under our Terraform names (`auth`, in a block `display_apps.editor`).
 */
export interface ProductProvider {
  /** The provider's source address: `trivet.local/trivet/ids`. */
  readonly source: string;
  /**
   * Version constraint that a stack requires.
   *
   * @default for a provider of this package exactly the version that belongs to it, else none
   */
  readonly version?: string | undefined;
  /** Stands before resource types (`ids` in `ids_endpoint`) and is the provider's name in a stack. */
  readonly typePrefix: string;
  /**
   * Names of attributes and blocks that differ: `{ "display_apps.editor": "vscode" }`.
   *
   * @default the same names
   */
  readonly names?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /**
   * Words of enumerations that differ: `{ auth: { "cloudA-instance-identity": "…" } }`.
   *
   * @default the same words
   */
  readonly words?:
    | Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>
    | undefined;
  /**
   * What the product lacks or refuses, as rules on the values under our names. A message tells the
   * product's name.
   *
   * @default nothing
   */
  readonly refusals?: Readonly<Record<string, readonly ResourceRule[]>> | undefined;
  /**
   * Data sources that the platform looks for in native syntax alone, with the names of the files that
   * they are written to, beside the stack's JSON: `{ workspace_workspace_tags: "workspace-tags.tf" }`.
   * What they refer to goes with them.
   *
   * @default none: everything stands in the JSON
   */
  readonly nativeFiles?: Readonly<Record<string, string>> | undefined;
}

/** A product that our constructs can be used for. */
export interface Product {
  /** Stands in messages, and before type tokens (`trivet:ids/v1:Endpoint`). */
  readonly name: string;
  /** Stands before environment variables (`TRIVET_STACK_TRACES`). */
  readonly environmentPrefix: string;
  /** The providers that the product has, by the name of ours: `ids`, `workspace`, `signing`. */
  readonly providers: Readonly<Record<string, ProductProvider>>;
}

/** Where Terraform finds a provider of this package: `trivet.local/trivet/ids`. */
export function providerSource(name: string): string {
  return `trivet.local/trivet/${name}`;
}

const own = (name: string): ProductProvider => ({ source: providerSource(name), typePrefix: name });

/** The product that this package is. */
export const product = {
  name: "trivet",
  environmentPrefix: "TRIVET",
  providers: {
    ids: own("ids"),
    // No platform is known that reads more than others do: a template is to work wherever one does.
    workspace: {
      ...own("workspace"),
      nativeFiles: { workspace_workspace_tags: "workspace-tags.tf" },
    },
    signing: own("signing"),
  },
} as const satisfies Product;
