import type { IResolvable } from "cdktf";
import type { MetaArguments } from "../../construct";

/** An entry that is shown with a resource. */
export interface MetadataItem {
  /** Name of the entry, one of its own in the metadata. */
  readonly key: string;
  /**
   * What is shown.
   *
   * @default no value
   */
  readonly value?: string | undefined;
  /**
   * Whether the user interface hides the value until it is asked for. Terraform shows it unless the
   * value itself is sensitive.
   *
   * @default false
   */
  readonly sensitive?: boolean | IResolvable | undefined;
}

/** The properties of a {@link Metadata}. */
export interface MetadataProps extends MetaArguments {
  /**
   * ID of the resource, by a reference: the platform follows it. One metadata for each resource.
   *
   * A change replaces the metadata.
   *
   * @default none; metadata that is tied to no resource is not shown, hence a warning
   */
  readonly resourceId?: string | undefined;
  /**
   * Cost of the resource in 24 hours, in the smallest unit of the currency. Needs an enterprise licence
   * of the platform.
   *
   * @default none
   */
  readonly dailyCost?: number | undefined;
  /**
   * Whether the user interface hides the resource.
   *
   * @default false
   */
  readonly hide?: boolean | IResolvable | undefined;
  /**
   * URL of an icon; built-in ones stand under `/icon/`.
   *
   * @default none
   */
  readonly icon?: string | undefined;
  /**
   * Entries that are shown with the resource; keys are unique.
   *
   * @default none
   */
  readonly items?: readonly MetadataItem[] | IResolvable | undefined;
}
