import { metadataTarget } from "./rules";
import { shownSecrets } from "../template/shown-secrets";
import { platformRequirement } from "../template/platform-requirements";
import { MetadataBase } from "./generated";

/** Metadata that the workspace's page shows about another resource, including its cost. */
export class Metadata extends MetadataBase {
  protected static override readonly stackRules = [
    metadataTarget,
    shownSecrets,
    platformRequirement,
  ];
}
