import { shownSecrets } from "../template/shown-secrets";
import { DataWorkspaceOwnerBase } from "./generated";

/**
 * The owner of the workspace.
 *
 * Outside a build of the platform, the values are placeholders.
 */
export class DataWorkspaceOwner extends DataWorkspaceOwnerBase {
  protected static override readonly stackRules = [shownSecrets];
}
