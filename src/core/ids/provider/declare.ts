import {
  block,
  conflicts,
  durationRule,
  optional,
  provider,
  required,
  t,
  stringRule,
  serviceUrl,
} from "../../schema";

const baseUrl = stringRule([
  [
    serviceUrl,
    "must be an https URL, or an http URL of this machine, such as http://127.0.0.1:8080/v1/",
  ],
  [/\/v1\/?$/, "must end with /v1/"],
]);

/** The email address of a service account. */
export const serviceAccountPattern = /^[\w.+-]+@[\w.:-]+$/;

const serviceAccount = stringRule([
  [
    serviceAccountPattern,
    "must be the email address of a service account, such as deployer@my-project.iam.gserviceaccount.com",
  ],
]);

/** A valid value of an HTTP header. */
export const requestReasonPattern = /^[\x20-\x7e]{1,1024}$/;

const requestReason = stringRule([
  [requestReasonPattern, "must be one line of at most 1,024 printable ASCII characters"],
]);

const domain = stringRule([
  [/^[a-z\d-]+(?:\.[a-z\d-]+)+$/, "must be a domain, such as googleapis.com"],
]);

/** The settings of the provider, with the names of Google's provider. */
export const idsProvider = provider("ids", {
  doc:
    "Cloud intrusion detection endpoints. Without credentials in the settings or in the environment, the " +
    "application default credentials are used: the file in `GOOGLE_APPLICATION_CREDENTIALS`, the " +
    "login of `gcloud auth application-default login`, or the machine's service account.",
  attributes: {
    project: optional(t.string(), {
      doc: "Project of endpoints that do not set one. By default, the project of the credentials.",
      env: ["GOOGLE_PROJECT", "GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT", "CLOUDSDK_CORE_PROJECT"],
    }),
    region: optional(t.string(), {
      doc: "Location of endpoints that do not set one, if `zone` is not set.",
      env: ["GOOGLE_REGION", "GCLOUD_REGION", "CLOUDSDK_COMPUTE_REGION"],
    }),
    zone: optional(t.string(), {
      doc: "Location of endpoints that do not set one.",
      env: ["GOOGLE_ZONE", "GCLOUD_ZONE", "CLOUDSDK_COMPUTE_ZONE"],
    }),
    credentials: optional(t.string(), {
      doc:
        "Google credentials: the path of a JSON file, or its content. The key of a service account, the " +
        "login of a user, an impersonated service account, or the configuration of an external account " +
        "(workload or workforce identity federation).",
      sensitive: true,
      env: ["GOOGLE_CREDENTIALS", "GOOGLE_CLOUD_KEYFILE_JSON", "GCLOUD_KEYFILE_JSON"],
    }),
    accessToken: optional(t.string(), {
      doc: "OAuth 2.0 access token, used unchanged.",
      sensitive: true,
      env: ["GOOGLE_OAUTH_ACCESS_TOKEN"],
    }),
    impersonateServiceAccount: optional(t.string(serviceAccount), {
      doc:
        "Email address of a service account that the credentials impersonate. They need " +
        "`roles/iam.serviceAccountTokenCreator` on it.",
      env: ["GOOGLE_IMPERSONATE_SERVICE_ACCOUNT"],
    }),
    impersonateServiceAccountDelegates: optional(t.list(t.string(serviceAccount)), {
      doc:
        "Email addresses of the service accounts between the credentials and the impersonated one. Each " +
        "needs `roles/iam.serviceAccountTokenCreator` on the next one.",
    }),
    userProjectOverride: optional(t.bool(), {
      doc:
        "Whether requests use the quota of `billing_project`, or of the endpoint's project if it is not " +
        "set, instead of the quota of the project of the credentials. By default false.",
      env: ["USER_PROJECT_OVERRIDE"],
    }),
    billingProject: optional(t.string(), {
      doc: "Project whose quota requests use if `user_project_override` is true. By default the endpoint's project.",
      env: ["GOOGLE_BILLING_PROJECT"],
    }),
    requestReason: optional(t.string(requestReason), {
      doc: "Reason of all requests, for audit logs: the header `X-Goog-Request-Reason`.",
      env: ["CLOUDSDK_CORE_REQUEST_REASON"],
    }),
    requestTimeout: optional(t.string(durationRule), {
      doc: "Timeout of one HTTP request. By default, `120s`.",
    }),
    pollInterval: optional(t.string(durationRule), {
      doc:
        "Interval at which running operations are polled. By default, 5 seconds at first, then " +
        "doubled each time, up to 45 seconds.",
    }),
    universeDomain: optional(t.string(domain), {
      doc:
        "Domain of the services, for sovereign clouds. Must be that of the credentials. By default, " +
        "`googleapis.com`.",
    }),
    cloudIdsCustomEndpoint: optional(t.string(baseUrl), {
      doc:
        "Base URL of the service, with `/v1/`: another instance, or the local back end that " +
        "`trivet local ids` starts. By default, `https://ids.googleapis.com/v1/`. For a service on this machine, " +
        "only credentials in a setting or an environment variable are used.",
      env: ["GOOGLE_CLOUD_IDS_CUSTOM_ENDPOINT"],
    }),
    iamCredentialsCustomEndpoint: optional(t.string(baseUrl), {
      doc:
        "Base URL of the service that impersonates service accounts, with `/v1/`. By default, " +
        "`https://iamcredentials.googleapis.com/v1/`.",
      env: ["GOOGLE_IAM_CREDENTIALS_CUSTOM_ENDPOINT"],
    }),
  },
  blocks: {
    externalCredentials: block.list(
      {
        attributes: {
          audience: required(t.string(), {
            doc:
              "Provider of the workload identity pool: " +
              "`//iam.googleapis.com/projects/N/locations/global/workloadIdentityPools/POOL/providers/PROVIDER`.",
          }),
          serviceAccountEmail: required(t.string(serviceAccount), {
            doc: "Email address of the service account that the identity impersonates.",
          }),
          identityToken: required(t.string(), {
            doc: "Token of the other identity provider (a JSON Web Token).",
            sensitive: true,
          }),
        },
      },
      {
        doc: "Workload identity federation with a token that you got from another identity provider.",
        max: 1,
      },
    ),
  },
  rules: [conflicts("credentials", "accessToken", "externalCredentials")],
});
