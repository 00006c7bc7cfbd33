import type { IResolvable } from "cdktf";
import type { MetaArguments } from "../../construct";
import type { EndpointSeverity } from "./enums";

/** The timeouts of the operations on an endpoint. */
export interface EndpointTimeouts {
  /**
   * Timeout of the creation, such as `90s` or `1h30m`.
   *
   * @default 60m
   */
  readonly create?: string | undefined;
  /**
   * Timeout of an update in place.
   *
   * @default 60m
   */
  readonly update?: string | undefined;
  /**
   * Timeout of the deletion.
   *
   * @default 60m
   */
  readonly delete?: string | undefined;
}

/** The properties of an {@link Endpoint}. */
export interface EndpointProps extends MetaArguments {
  /**
   * ID of the endpoint, the last part of its name. It is never derived from the construct ID.
   *
   * Starts with a lowercase letter, followed by up to 62 lowercase letters, digits or hyphens. Must
   * not end with a hyphen. A change replaces the endpoint.
   */
  readonly endpointId: string;
  /**
   * Location of the endpoint: a zone, such as `us-central1-f`.
   *
   * A change replaces the endpoint.
   *
   * @default the provider's zone, else its region
   */
  readonly location?: string | undefined;
  /**
   * Project of the endpoint.
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
   * @default none, with a warning: the service refuses to create such an endpoint
   */
  readonly network?: string | undefined;
  /**
   * Lowest threat severity that the endpoint alerts on.
   *
   * - `SEVERITY_UNSPECIFIED`: not set
   * - `INFORMATIONAL`: informational alerts
   * - `LOW`: low severity alerts
   * - `MEDIUM`: medium severity alerts
   * - `HIGH`: high severity alerts
   * - `CRITICAL`: critical severity alerts
   *
   * Pass a string token as `Token.asAny(token)`.
   *
   * @default none, with a warning: the service refuses to create such an endpoint
   */
  readonly severity?: EndpointSeverity | IResolvable | undefined;
  /**
   * Description of the endpoint.
   *
   * @default none
   */
  readonly description?: string | undefined;
  /**
   * Labels of the endpoint: at most 64, with lowercase letters, digits, `_` and `-`.
   *
   * @default none
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * Idempotency key of the create request: a UUID other than the all-zero one.
   *
   * The service ignores a repeated request with the same key for at least 60 minutes.
   *
   * @default a different random key for every request
   */
  readonly requestId?: string | undefined;
  /**
   * Threat IDs that do not generate alerts, at most 99.
   *
   * @default none
   */
  readonly threatExceptions?: readonly string[] | undefined;
  /**
   * Reports traffic logs in addition to threat logs.
   *
   * @default false
   */
  readonly trafficLogs?: boolean | IResolvable | undefined;
  /**
   * Timeouts of the operations on the endpoint.
   *
   * @default an hour each
   */
  readonly timeouts?: EndpointTimeouts | undefined;
}
