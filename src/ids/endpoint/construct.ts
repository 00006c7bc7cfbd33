import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import { Endpoint as EndpointBinding } from "../../../bindings/providers/ids/endpoint";
import { product, ResourceConstruct, type ConstructType } from "../../construct";
import { endpoint } from "./declare";
import type { EndpointProps } from "./props";
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
export class Endpoint extends ResourceConstruct<EndpointBinding, EndpointProps> {
  /** The resource's type token, which identifies it across products. */
  static readonly typeToken = `${product.name}:ids/v1:Endpoint`;

  constructor(scope: Construct, id: string, props: EndpointProps) {
    super(scope, id, type, props, (parent, childId, { severity, ...config }) => {
      const lowest = severity === undefined ? {} : { severity: Token.asString(severity) };
      return new EndpointBinding(parent, childId, { ...config, ...lowest });
    });
  }

  /** ID of the endpoint, the last part of its name. */
  get endpointId(): string {
    return this.resource.endpointId;
  }

  /** Location of the endpoint. */
  get location(): string {
    return this.resource.location;
  }

  /** Project of the endpoint. */
  get project(): string {
    return this.resource.project;
  }

  /** Fully qualified URL of the network to which the endpoint is attached. */
  get network(): string {
    return this.resource.network;
  }

  /** Lowest threat severity that the endpoint alerts on. */
  get severity(): IResolvable {
    return Token.asAny(this.resource.severity);
  }

  /** Description of the endpoint. */
  get description(): string {
    return this.resource.description;
  }

  /** Labels of the endpoint. Use `Fn.lookup(endpoint.labels, "key")` for a single label. */
  get labels(): Readonly<Record<string, string>> {
    return this.resource.labels;
  }

  /** Idempotency key of the create request. */
  get requestId(): string {
    return this.resource.requestId;
  }

  /**
   * Threat IDs that do not generate alerts. Use `Fn.element(endpoint.threatExceptions, 0)` for a
   * single ID.
   */
  get threatExceptions(): readonly string[] {
    return this.resource.threatExceptions;
  }

  /** True if the endpoint reports traffic logs in addition to threat logs. */
  get trafficLogs(): IResolvable {
    return Token.asAny(this.resource.trafficLogs);
  }

  /** When the endpoint was created (RFC 3339). */
  get createTime(): string {
    return this.resource.createTime;
  }

  /** Fully qualified URL of the endpoint's internal load balancer forwarding rule. */
  get endpointForwardingRule(): string {
    return this.resource.endpointForwardingRule;
  }

  /** IP address of the endpoint's internal load balancer. */
  get endpointIp(): string {
    return this.resource.endpointIp;
  }

  /** Unique ID of the resource: its {@link name}. */
  get id(): string {
    return this.resource.id;
  }

  /** Name of the endpoint: `projects/P/locations/L/endpoints/E`. */
  get name(): string {
    return this.resource.name;
  }

  /** Current state of the endpoint, such as `READY`. */
  get state(): string {
    return this.resource.state;
  }

  /** When the endpoint last changed (RFC 3339). */
  get updateTime(): string {
    return this.resource.updateTime;
  }
}
