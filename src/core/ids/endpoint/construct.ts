import { EndpointBase } from "./generated";
import { uniqueFullNames } from "./rules";

/**
 * An endpoint of the cloud intrusion detection service.
 *
 * It is attached to a network and alerts on threats at or above a severity. The service's own
 * packages for this resource are marked as preview and deprecated.
 *
 * See the guide `docs/guide/endpoints.md` in this package.
 *
 * @example
 * ```ts
 * new ids.Endpoint(this, "edge", {
 *   endpointId: "edge",
 *   network: "projects/my-project/global/networks/edge",
 *   severity: "HIGH",
 * });
 * ```
 */
export class Endpoint extends EndpointBase {
  protected static override readonly stackRules = [uniqueFullNames];
}
