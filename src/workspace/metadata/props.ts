import type { IResolvable } from "cdktf";
import type { MetaArguments } from "../../construct";

/** A metadata item that is shown with a resource. */
export interface MetadataItem {
  /** Name of the item, unique in the metadata. */
  readonly key: string;
  /**
   * Value of the item.
   *
   * @default no value
   */
  readonly value?: string | undefined;
  /**
   * Hides the value in the user interface until users reveal it. Terraform shows it unless the value itself
   * is sensitive.
   *
   * @default false
   */
  readonly sensitive?: boolean | IResolvable | undefined;
}

/** The properties of a {@link Metadata}. */
export interface MetadataProps extends MetaArguments {
  /**
   * Reference to the ID of the resource, which the platform follows. Each resource can have one
   * metadata.
   *
   * A change replaces the metadata.
   *
   * @default none. Metadata without a resource is not shown, which causes a warning.
   */
  readonly resourceId?: string | undefined;
  /**
   * Cost of the resource per 24 hours, in the smallest unit of the currency. Needs an enterprise licence
   * of the platform.
   *
   * @default none
   */
  readonly dailyCost?: number | undefined;
  /**
   * Hides the resource in the user interface.
   *
   * @default false
   */
  readonly hide?: boolean | IResolvable | undefined;
  /**
   * URL of an icon. The built-in icons are under `/icon/`.
   *
   * @default none
   */
  readonly icon?: string | undefined;
  /**
   * Metadata items that are shown with the resource. Keys are unique.
   *
   * @default none
   */
  readonly items?: readonly MetadataItem[] | IResolvable | undefined;
}
