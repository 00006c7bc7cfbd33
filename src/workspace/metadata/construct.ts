import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import {
  Metadata as MetadataBinding,
  type MetadataItemList,
} from "../../../bindings/providers/workspace/metadata";
import { product, ResourceConstruct, type ConstructType } from "../../construct";
import { metadata } from "./declare";
import { metadataTarget } from "./rules";
import { shownSecrets } from "../template/shown-secrets";
import { platformRequirement } from "../template/platform-requirements";
import type { MetadataProps } from "./props";

const type: ConstructType = {
  name: "workspace.Metadata",
  declaration: metadata,
  stackRules: [metadataTarget, shownSecrets, platformRequirement],
};

/** Metadata that the workspace's page shows about another resource, including its cost. */
export class Metadata extends ResourceConstruct<MetadataBinding, MetadataProps> {
  /** Name of the resource type, the same for all products. */
  static readonly typeToken = `${product.name}:workspace/v1:Metadata`;

  constructor(scope: Construct, id: string, props: MetadataProps) {
    super(scope, id, type, props, (parent, childId, { items, ...config }) => {
      const item = items === undefined ? {} : { item: items };
      return new MetadataBinding(parent, childId, { ...config, ...item });
    });
  }

  /** ID of the resource that the metadata describes. */
  get resourceId(): string {
    return this.resource.resourceId;
  }

  /** Cost of the resource per 24 hours, in the smallest unit of the currency. */
  get dailyCost(): number {
    return this.resource.dailyCost;
  }

  /** True if the user interface hides the resource. */
  get hide(): IResolvable {
    return Token.asAny(this.resource.hide);
  }

  /** URL of the resource's icon. */
  get icon(): string {
    return this.resource.icon;
  }

  /** Metadata items that are shown with the resource. Read one with `items.get(0)`; it has `isNull`. */
  get items(): MetadataItemList {
    return this.resource.item;
  }

  /** ID of the metadata. */
  get metadataId(): string {
    return this.resource.id;
  }
}
