/** The settings of an {@link IdsProvider}; each has the environment variables of Google's provider. */
export interface IdsProviderProps {
  /**
   * Project of the endpoints that name none.
   *
   * @default GOOGLE_PROJECT, GOOGLE_CLOUD_PROJECT, GCLOUD_PROJECT or CLOUDSDK_CORE_PROJECT
   */
  readonly project?: string | undefined;
  /**
   * Location of the endpoints that name none, when there is no `zone`.
   *
   * @default GOOGLE_REGION, GCLOUD_REGION or CLOUDSDK_COMPUTE_REGION
   */
  readonly region?: string | undefined;
  /**
   * Location of the endpoints that name none.
   *
   * @default GOOGLE_ZONE, GCLOUD_ZONE or CLOUDSDK_COMPUTE_ZONE
   */
  readonly zone?: string | undefined;
  /**
   * Key of a service account, or credentials of a user: the path of a JSON file, or its text.
   *
   * Excludes `accessToken`. A text stands readable in the synthesized stack: prefer a path, a
   * variable or the environment.
   *
   * @default GOOGLE_CREDENTIALS, GOOGLE_CLOUD_KEYFILE_JSON or GCLOUD_KEYFILE_JSON
   */
  readonly credentials?: string | undefined;
  /**
   * OAuth 2.0 access token, used as it is. Excludes `credentials`.
   *
   * @default GOOGLE_OAUTH_ACCESS_TOKEN
   */
  readonly accessToken?: string | undefined;
  /**
   * How long one HTTP request may take, such as `90s`.
   *
   * @default 120s
   */
  readonly requestTimeout?: string | undefined;
  /**
   * How often a running operation is asked for its result.
   *
   * @default after 5 seconds, then after twice the time before, at most 45 seconds
   */
  readonly pollInterval?: string | undefined;
  /**
   * Base URL of the service, with `/v1/`: another instance of it, or the local back end that
   * `trivet local ids` starts.
   *
   * @default GOOGLE_CLOUD_IDS_CUSTOM_ENDPOINT, else `https://ids.googleapis.com/v1/`
   */
  readonly cloudIdsCustomEndpoint?: string | undefined;
  /**
   * Name by which resources choose this provider, where a stack has several.
   *
   * @default none: the provider of all resources that choose none
   */
  readonly alias?: string | undefined;
}
