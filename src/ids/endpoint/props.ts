import type { IResolvable } from "cdktf";
import type { MetaArguments } from "../../construct";
import type { EndpointSeverity } from "./enums";

/** How long the operations on an endpoint may take. */
export interface EndpointTimeouts {
  /**
   * Limit for creating the endpoint, such as `90s` or `1h30m`.
   *
   * @default 60m
   */
  readonly create?: string | undefined;
  /**
   * Limit for changing the endpoint in place.
   *
   * @default 60m
   */
  readonly update?: string | undefined;
  /**
   * Limit for deleting the endpoint.
   *
   * @default 60m
   */
  readonly delete?: string | undefined;
}

/** The properties of an {@link Endpoint}. */
export interface EndpointProps extends MetaArguments {
  /**
   * ID of the endpoint, the last part of its name. It is never made up from the construct's id.
   *
   * A lowercase letter, then up to 62 lowercase letters, digits or hyphens, no hyphen at the end.
   * A change replaces the endpoint.
   */
  readonly endpointId: string;
  /**
   * Location in which the endpoint is created: a zone, such as `us-central1-f`.
   *
   * A change replaces the endpoint.
   *
   * @default the provider's zone, else its region
   */
  readonly location?: string | undefined;
  /**
   * Project in which the endpoint is created.
   *
   * A change replaces the endpoint.
   *
   * @default the provider's project
   */
  readonly project?: string | undefined;
  /**
   * Fully qualified URL of the network to which the endpoint is attached.
   *
   * The network needs private services access before the endpoint is created.
   *
   * @default none; the service refuses to create such an endpoint, hence a warning
   */
  readonly network?: string | undefined;
  /**
   * Lowest threat severity that the endpoint alerts on.
   *
   * A token that is a text is given as `Token.asAny(text)`.
   *
   * @default none; the service refuses to create such an endpoint, hence a warning
   */
  readonly severity?: EndpointSeverity | IResolvable | undefined;
  /**
   * Description of the endpoint.
   *
   * @default none
   */
  readonly description?: string | undefined;
  /**
   * Labels of the endpoint: at most 64, of lowercase letters, digits, `_` and `-`.
   *
   * @default none
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * Idempotency key of the creation: a UUID, not the all-zero one.
   *
   * The service ignores a repeated request with the same key for at least 60 minutes.
   *
   * @default every request has a random one of its own
   */
  readonly requestId?: string | undefined;
  /**
   * Threat IDs that are excepted from generating alerts, at most 99.
   *
   * @default none
   */
  readonly threatExceptions?: readonly string[] | undefined;
  /**
   * Whether the endpoint reports traffic logs in addition to threat logs.
   *
   * @default false
   */
  readonly trafficLogs?: boolean | IResolvable | undefined;
  /**
   * How long the operations on the endpoint may take.
   *
   * @default an hour each
   */
  readonly timeouts?: EndpointTimeouts | undefined;
}
