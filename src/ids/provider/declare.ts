import { conflicts, durationRule, optional, provider, t, stringRule } from "../../schema";
import { serviceUrl } from "../../schema/loopback";

const baseUrl = stringRule([
  [
    serviceUrl,
    "must be an https URL, or an http URL of this machine, such as http://127.0.0.1:8080/v1/",
  ],
  [/\/v1\/?$/, "must end with /v1/"],
]);

/** The settings of the provider, with the names of Google's provider. */
export const idsProvider = provider("ids", {
  doc: "Cloud intrusion detection endpoints.",
  attributes: {
    project: optional(t.string(), {
      doc: "Project of endpoints without a project.",
      env: ["GOOGLE_PROJECT", "GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT", "CLOUDSDK_CORE_PROJECT"],
    }),
    region: optional(t.string(), {
      doc: "Location of endpoints without a location, if `zone` is not set.",
      env: ["GOOGLE_REGION", "GCLOUD_REGION", "CLOUDSDK_COMPUTE_REGION"],
    }),
    zone: optional(t.string(), {
      doc: "Location of endpoints without a location.",
      env: ["GOOGLE_ZONE", "GCLOUD_ZONE", "CLOUDSDK_COMPUTE_ZONE"],
    }),
    credentials: optional(t.string(), {
      doc: "Key of a service account, or credentials of a user: the path of a JSON file, or its content.",
      sensitive: true,
      env: ["GOOGLE_CREDENTIALS", "GOOGLE_CLOUD_KEYFILE_JSON", "GCLOUD_KEYFILE_JSON"],
    }),
    accessToken: optional(t.string(), {
      doc: "OAuth 2.0 access token, used as it is.",
      sensitive: true,
      env: ["GOOGLE_OAUTH_ACCESS_TOKEN"],
    }),
    requestTimeout: optional(t.string(durationRule), {
      doc: "Timeout of one HTTP request. By default, `120s`.",
    }),
    pollInterval: optional(t.string(durationRule), {
      doc:
        "Interval at which running operations are polled. By default, 5 seconds at first, then " +
        "doubled each time, up to 45 seconds.",
    }),
    cloudIdsCustomEndpoint: optional(t.string(baseUrl), {
      doc:
        "Base URL of the service, with `/v1/`: another instance, or the local back end that " +
        "`trivet local ids` starts. By default, `https://ids.googleapis.com/v1/`.",
      env: ["GOOGLE_CLOUD_IDS_CUSTOM_ENDPOINT"],
    }),
  },
  rules: [conflicts("credentials", "accessToken")],
});
