/** What a caller sends: the fields of an endpoint that can be written. */
export interface EndpointBody {
  readonly network?: string | undefined;
  readonly severity?: string | undefined;
  readonly description?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly threatExceptions?: readonly string[] | undefined;
  readonly trafficLogs?: boolean | undefined;
}

/**
 * An endpoint as the service tells it.
 *
 * proto3 JSON leaves defaults out, so an absent string is `""`, an absent flag is `false`, an
 * absent list or map is empty. Enumerations stay strings: a value added later must not break a
 * read.
 */
export interface EndpointResource {
  readonly name: string;
  readonly network: string;
  readonly severity: string;
  readonly description: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly threatExceptions: readonly string[];
  readonly trafficLogs: boolean;
  readonly state: string;
  readonly endpointIp: string;
  readonly endpointForwardingRule: string;
  readonly createTime: string;
  readonly updateTime: string;
}
