import { Token } from "cdktf";
import type { Construct } from "constructs";
import { Endpoint as EndpointBinding } from "../../../../bindings/providers/ids/endpoint";
import type { ConstructType } from "../../construct";
import { endpoint } from "./declare";
import { EndpointBase, type EndpointProps } from "./generated";
import { uniqueFullNames } from "./rules";

const type: ConstructType = {
  name: "ids.Endpoint",
  declaration: endpoint,
  stackRules: [uniqueFullNames],
};

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
export class Endpoint extends EndpointBase<EndpointProps> {
  constructor(scope: Construct, id: string, props: EndpointProps) {
    super(scope, id, type, props, (parent, childId, { severity, ...config }) => {
      const lowest = severity === undefined ? {} : { severity: Token.asString(severity) };
      return new EndpointBinding(parent, childId, { ...config, ...lowest });
    });
  }
}
