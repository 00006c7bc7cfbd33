/**
 * The settings of an {@link IdsProvider}. The environment variables are those of Google's provider.
 */
export interface IdsProviderProps {
  /**
   * Project of endpoints without a project.
   *
   * @default GOOGLE_PROJECT, GOOGLE_CLOUD_PROJECT, GCLOUD_PROJECT or CLOUDSDK_CORE_PROJECT
   */
  readonly project?: string | undefined;
  /**
   * Location of endpoints without a location, if `zone` is not set.
   *
   * @default GOOGLE_REGION, GCLOUD_REGION or CLOUDSDK_COMPUTE_REGION
   */
  readonly region?: string | undefined;
  /**
   * Location of endpoints without a location.
   *
   * @default GOOGLE_ZONE, GCLOUD_ZONE or CLOUDSDK_COMPUTE_ZONE
   */
  readonly zone?: string | undefined;
  /**
   * Key of a service account, or credentials of a user: the path of a JSON file, or its content.
   *
   * Cannot be combined with `accessToken`. JSON content is readable in the synthesized stack.
   * Prefer a path, a variable or the environment.
   *
   * @default GOOGLE_CREDENTIALS, GOOGLE_CLOUD_KEYFILE_JSON or GCLOUD_KEYFILE_JSON
   */
  readonly credentials?: string | undefined;
  /**
   * OAuth 2.0 access token, used as it is. Cannot be combined with `credentials`.
   *
   * @default GOOGLE_OAUTH_ACCESS_TOKEN
   */
  readonly accessToken?: string | undefined;
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
   * Base URL of the service, with `/v1/`: another instance, or the local back end that
   * `trivet local ids` starts.
   *
   * @default GOOGLE_CLOUD_IDS_CUSTOM_ENDPOINT, else `https://ids.googleapis.com/v1/`
   */
  readonly cloudIdsCustomEndpoint?: string | undefined;
  /**
   * Name by which resources select this provider, if a stack has several.
   *
   * @default none: the provider of all resources that do not select one
   */
  readonly alias?: string | undefined;
}
