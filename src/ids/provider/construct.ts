import type { IResolvable } from "cdktf";
import type { Construct } from "constructs";
import {
  IdsProvider as IdsProviderBinding,
  type IdsProviderExternalCredentials,
} from "../../../bindings/providers/ids/provider";
import { ProviderConstruct, type ConstructType } from "../../construct";
import { idsProvider } from "./declare";
import type { IdsProviderProps } from "./props";

const type: ConstructType = { name: "ids.IdsProvider", declaration: idsProvider };

/**
 * The provider of the cloud intrusion detection service.
 *
 * The stack requires the exact provider version of this package.
 *
 * See the guide `docs/guide/first-stack.md` in this package.
 *
 * @example
 * ```ts
 * new ids.IdsProvider(this, "ids", { project: "my-project", zone: "us-central1-f" });
 * ```
 */
export class IdsProvider extends ProviderConstruct<IdsProviderBinding, IdsProviderProps> {
  constructor(scope: Construct, id: string, props: IdsProviderProps = {}) {
    super(scope, id, type, props, (...given) => new IdsProviderBinding(...given));
  }

  /** Project of endpoints that do not set one. */
  get project(): string | undefined {
    return this.resource.project;
  }

  /** Location of endpoints that do not set one, if the provider has no zone. */
  get region(): string | undefined {
    return this.resource.region;
  }

  /** Location of endpoints that do not set one. */
  get zone(): string | undefined {
    return this.resource.zone;
  }

  /** Key of a service account, or credentials of a user, as they were set. */
  get credentials(): string | undefined {
    return this.resource.credentials;
  }

  /** OAuth 2.0 access token, as it was set. */
  get accessToken(): string | undefined {
    return this.resource.accessToken;
  }

  /** Workload identity federation, as it was set. */
  get externalCredentials(): IdsProviderExternalCredentials | IResolvable | undefined {
    return this.resource.externalCredentials;
  }

  /** Service account that the credentials impersonate. */
  get impersonateServiceAccount(): string | undefined {
    return this.resource.impersonateServiceAccount;
  }

  /** Service accounts between the credentials and the impersonated one. */
  get impersonateServiceAccountDelegates(): readonly string[] | undefined {
    return this.resource.impersonateServiceAccountDelegates;
  }

  /** True if requests use the quota of another project than that of the credentials. */
  get userProjectOverride(): boolean | IResolvable | undefined {
    return this.resource.userProjectOverride;
  }

  /** Project whose quota requests use. */
  get billingProject(): string | undefined {
    return this.resource.billingProject;
  }

  /** Reason of all requests, for audit logs. */
  get requestReason(): string | undefined {
    return this.resource.requestReason;
  }

  /** Timeout of one HTTP request. */
  get requestTimeout(): string | undefined {
    return this.resource.requestTimeout;
  }

  /** Interval at which running operations are polled. */
  get pollInterval(): string | undefined {
    return this.resource.pollInterval;
  }

  /** Domain of the services. */
  get universeDomain(): string | undefined {
    return this.resource.universeDomain;
  }

  /** Base URL of the service, with `/v1/`. */
  get cloudIdsCustomEndpoint(): string | undefined {
    return this.resource.cloudIdsCustomEndpoint;
  }

  /** Base URL of the service that impersonates service accounts. */
  get iamCredentialsCustomEndpoint(): string | undefined {
    return this.resource.iamCredentialsCustomEndpoint;
  }
}
