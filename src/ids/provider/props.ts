import type { IResolvable } from "cdktf";

/** Workload identity federation with a token of another identity provider. */
export interface ExternalCredentials {
  /**
   * Provider of the workload identity pool:
   * `//iam.googleapis.com/projects/N/locations/global/workloadIdentityPools/POOL/providers/PROVIDER`.
   */
  readonly audience: string;
  /** Email address of the service account that the identity impersonates. */
  readonly serviceAccountEmail: string;
  /** Token of the other identity provider. Use a Terraform variable: a literal value is written to the stack's files. */
  readonly identityToken: string;
}

/**
 * The settings of an {@link IdsProvider}. The environment variables are those of Google's provider.
 */
export interface IdsProviderProps {
  /**
   * Project of endpoints that do not set one.
   *
   * @default GOOGLE_PROJECT, GOOGLE_CLOUD_PROJECT, GCLOUD_PROJECT or CLOUDSDK_CORE_PROJECT, else the project of the
   * credentials
   */
  readonly project?: string | undefined;
  /**
   * Location of endpoints that do not set one, if `zone` is not set.
   *
   * @default GOOGLE_REGION, GCLOUD_REGION or CLOUDSDK_COMPUTE_REGION
   */
  readonly region?: string | undefined;
  /**
   * Location of endpoints that do not set one.
   *
   * @default GOOGLE_ZONE, GCLOUD_ZONE or CLOUDSDK_COMPUTE_ZONE
   */
  readonly zone?: string | undefined;
  /**
   * Google credentials of any kind: the path of a JSON file, or its content.
   *
   * Cannot be combined with `accessToken` or `externalCredentials`. JSON content is readable in the synthesized stack.
   * Prefer a path, a variable or the environment.
   *
   * @default GOOGLE_CREDENTIALS, GOOGLE_CLOUD_KEYFILE_JSON or GCLOUD_KEYFILE_JSON, else the application default
   * credentials
   */
  readonly credentials?: string | undefined;
  /**
   * OAuth 2.0 access token, used unchanged. Cannot be combined with `credentials` or `externalCredentials`.
   *
   * @default GOOGLE_OAUTH_ACCESS_TOKEN
   */
  readonly accessToken?: string | undefined;
  /**
   * Workload identity federation with a token of another identity provider. Cannot be combined with `credentials` or
   * `accessToken`.
   *
   * @default none
   */
  readonly externalCredentials?: ExternalCredentials | undefined;
  /**
   * Email address of a service account that the credentials impersonate.
   *
   * @default GOOGLE_IMPERSONATE_SERVICE_ACCOUNT
   */
  readonly impersonateServiceAccount?: string | undefined;
  /**
   * Email addresses of the service accounts between the credentials and the impersonated one.
   *
   * @default none
   */
  readonly impersonateServiceAccountDelegates?: readonly string[] | undefined;
  /**
   * Lets requests use the quota of `billingProject`, or of the endpoint's project if it is not set, instead
   * of the quota of the project of the credentials.
   *
   * @default USER_PROJECT_OVERRIDE, else false
   */
  readonly userProjectOverride?: boolean | IResolvable | undefined;
  /**
   * Project whose quota requests use if `userProjectOverride` is true.
   *
   * @default GOOGLE_BILLING_PROJECT, else the endpoint's project
   */
  readonly billingProject?: string | undefined;
  /**
   * Reason of all requests, for audit logs.
   *
   * @default CLOUDSDK_CORE_REQUEST_REASON
   */
  readonly requestReason?: string | undefined;
  /**
   * Timeout of one HTTP request, such as `90s`.
   *
   * @default 120s
   */
  readonly requestTimeout?: string | undefined;
  /**
   * Interval at which running operations are polled.
   *
   * @default 5 seconds at first, then doubled each time, up to 45 seconds
   */
  readonly pollInterval?: string | undefined;
  /**
   * Domain of the services, for sovereign clouds. Must be that of the credentials.
   *
   * @default googleapis.com
   */
  readonly universeDomain?: string | undefined;
  /**
   * Base URL of the service, with `/v1/`: another instance, or the local back end that
   * `trivet local ids` starts. On this machine, only credentials are used that a setting or an environment variable
   * names.
   *
   * @default GOOGLE_CLOUD_IDS_CUSTOM_ENDPOINT, else `https://ids.googleapis.com/v1/`
   */
  readonly cloudIdsCustomEndpoint?: string | undefined;
  /**
   * Base URL of the service that impersonates service accounts, with `/v1/`.
   *
   * @default GOOGLE_IAM_CREDENTIALS_CUSTOM_ENDPOINT, else `https://iamcredentials.googleapis.com/v1/`
   */
  readonly iamCredentialsCustomEndpoint?: string | undefined;
  /**
   * Name by which resources select this provider, if a stack has several.
   *
   * @default none: the provider of all resources that do not select one
   */
  readonly alias?: string | undefined;
}
