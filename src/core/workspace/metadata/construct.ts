import type { Construct } from "constructs";
import { Metadata as MetadataBinding } from "../../../../bindings/providers/workspace/metadata";
import type { ConstructType } from "../../construct";
import { metadata } from "./declare";
import { metadataTarget } from "./rules";
import { shownSecrets } from "../template/shown-secrets";
import { platformRequirement } from "../template/platform-requirements";
import { MetadataBase, type MetadataProps } from "./generated";

const type: ConstructType = {
  name: "workspace.Metadata",
  declaration: metadata,
  stackRules: [metadataTarget, shownSecrets, platformRequirement],
};

/** Metadata that the workspace's page shows about another resource, including its cost. */
export class Metadata extends MetadataBase<MetadataProps> {
  constructor(scope: Construct, id: string, props: MetadataProps) {
    super(scope, id, type, props, (parent, childId, { items, ...config }) => {
      const item = items === undefined ? {} : { item: items };
      return new MetadataBinding(parent, childId, { ...config, ...item });
    });
  }
}
