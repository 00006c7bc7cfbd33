import { ProviderError } from "../../provider-kit";
import { camelCase, type Path } from "../../schema";
import { ApiError, type ApiErrorCode, statusNames } from "../client/api-error";
import { endpoint, isZone } from "./declare";

/** The attempted operation, for the message. */
export interface Attempt {
  readonly verb: "create" | "read" | "update" | "delete" | "list";
  /** Full name of the endpoint, or of the collection in a location. */
  readonly name: string;
  /** The attributes that an update would have changed. */
  readonly changed?: readonly string[] | undefined;
  /** True if the next apply continues a creation that ran out of time. @default false */
  readonly isResumable?: boolean | undefined;
  /** True if the state contains an endpoint whose creation has not finished. @default false */
  readonly isTainted?: boolean | undefined;
  /** The zones of the endpoint's region, if its location may be wrong. @default not known */
  readonly zones?: readonly string[] | undefined;
}

interface Advice {
  readonly summary: string;
  readonly next: (attempt: Attempt, error: ApiError) => string;
}

const always = (hint: string) => (): string => hint;

const replaceHint = ({ verb, changed = [] }: Attempt): string =>
  verb === "update"
    ? `If the service cannot change ${changed.join(", ")} in place, plan with -replace=ADDRESS.`
    : "";

const preconditions: Readonly<Record<Attempt["verb"], (attempt: Attempt) => string>> = {
  create: always(
    "The network needs private services access (a reserved range and a service networking " +
      "connection), and the project needs the API enabled, before an endpoint can be created.",
  ),
  read: always(""),
  list: always(""),
  update: replaceHint,
  delete: always(
    "If another operation on the endpoint is still running, apply again when it has finished.",
  ),
};

const advice: Readonly<Partial<Record<ApiErrorCode, Advice>>> = {
  ALREADY_EXISTS: {
    summary: "Endpoint Already Exists",
    next: ({ name }) =>
      `If it is yours, import it: call importFrom("${name}") on the construct, or run terraform import ADDRESS ${name} ` +
      "with the address of the resource, such as ids_endpoint.edge. Otherwise choose another endpoint_id.",
  },
  NOT_FOUND: {
    summary: "Endpoint Not Found",
    next: ({ verb }) =>
      verb === "update"
        ? "It was deleted outside Terraform. Plan again to create it again."
        : "Check that the project and the location exist.",
  },
  INVALID_ARGUMENT: { summary: "Refused By The Service", next: replaceHint },
  UNIMPLEMENTED: { summary: "Refused By The Service", next: replaceHint },
  FAILED_PRECONDITION: {
    summary: "Precondition Not Met",
    next: (attempt) => preconditions[attempt.verb](attempt),
  },
  UNAUTHENTICATED: {
    summary: "Credentials Not Accepted",
    next: always("Renew access_token, or check the credentials of the provider."),
  },
  PERMISSION_DENIED: {
    summary: "Permission Denied",
    next: always(
      "The credentials need the role roles/ids.admin, and the API must be enabled in the project.",
    ),
  },
  RESOURCE_EXHAUSTED: {
    summary: "Quota Exhausted",
    next: always("Delete endpoints that are not needed, or request a higher quota."),
  },
  MALFORMED_ANSWER: {
    summary: "Unexpected Response",
    next: always(
      "A proxy or another server may have responded instead of the service. Check the proxy settings and " +
        "cloud_ids_custom_endpoint.",
    ),
  },
  CANCELLED_BY_USER: {
    summary: "Interrupted",
    next: ({ verb, isTainted = false }) => {
      if (isTainted) {
        return "The service continues the creation. The endpoint is in the state, marked as tainted: the next apply deletes it and creates it again. To keep it instead, wait until it is READY, run terraform untaint ADDRESS, and apply again.";
      }
      return verb === "create"
        ? "Apply again: a creation that the service has received is continued, and not repeated."
        : "Run the same command again. Everything that exists is in the state.";
    },
  },
  DEADLINE: {
    summary: "Operation Timed Out",
    next: ({ verb, name, isResumable = false }) =>
      isResumable
        ? `Apply again: the endpoint is then awaited, and not created again. In another folder or on another machine, import it: terraform import ADDRESS ${name}. Allow more time with timeouts { ${verb} = "…" }.`
        : `Allow more time with timeouts { ${verb} = "…" }, and apply again.`,
  },
  CREDENTIALS: { summary: "No Access Token", next: always("Check the provider's credentials.") },
  TRANSPORT: {
    summary: "Service Not Reached",
    next: always("Check the network, the proxy settings and cloud_ids_custom_endpoint."),
  },
};

const tooManyRequests: Advice = {
  summary: "Too Many Requests",
  next: always(
    "The project's quota of requests a minute is used up. Apply again later, or with a lower -parallelism, or request a higher quota.",
  ),
};

/** Advice by the reason in Google's error, which is more exact than the code. */
const reasons: Readonly<Partial<Record<string, Advice>>> = {
  SERVICE_DISABLED: {
    summary: "API Not Enabled",
    next: ({ name }, { disabledService }) => {
      const service = disabledService?.name ?? "ids.googleapis.com";
      const project = name.split("/")[1] ?? "";
      const page =
        disabledService?.page ??
        `https://console.cloud.google.com/apis/library/${service}?project=${project}`;
      return `Enable ${service} at ${page}, or with gcloud services enable ${service} --project ${project}. Apply again a few minutes later.`;
    },
  },
  USER_PROJECT_DENIED: {
    summary: "Quota Project Denied",
    next: always(
      "The credentials may not use the quota of the project in user_project_override, billing_project or GOOGLE_CLOUD_QUOTA_PROJECT: they need roles/serviceusage.serviceUsageConsumer in it.",
    ),
  },
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: {
    summary: "Permission Denied",
    next: always(
      "The access token needs the scope https://www.googleapis.com/auth/cloud-platform. On a Google Cloud machine, set the access scopes of the machine.",
    ),
  },
  RATE_LIMIT_EXCEEDED: tooManyRequests,
  CONCURRENT_OPERATIONS_QUOTA_EXCEEDED: tooManyRequests,
};

const adviceFor = ({ code, reason = "", message }: ApiError): Advice =>
  (Object.hasOwn(reasons, reason) ? reasons[reason] : undefined) ??
  (/quota/i.test(message) && /per minute/i.test(message) ? tooManyRequests : undefined) ??
  advice[code] ?? { summary: "Service Error", next: always("") };

/** Endpoints are zonal, although the API calls zones locations. */
function locationHint({ verb, name, zones }: Attempt): string {
  const location = name.split("/")[3] ?? "";
  if (verb !== "create") return "";
  if (zones === undefined || zones.includes(location)) {
    return isZone(location)
      ? ""
      : `Endpoints are zonal: set location to a zone, such as us-central1-a (got ${location}).`;
  }
  const known =
    zones.length === 0
      ? "such as us-central1-a; the service has none there"
      : `here one of ${zones.join(", ")}`;
  return `Endpoints are zonal: set location to a zone, ${known} (got ${location}).`;
}

/**
 * Converts an `ApiError` to a `ProviderError` with advice on how to fix it. Returns any other error
 * unchanged.
 */
export function serviceError(error: unknown, attempt: Attempt): unknown {
  if (!(error instanceof ApiError)) return error;
  const { code, fieldViolations, operation, reason } = error;
  const { summary, next } = adviceFor(error);
  const lines = [
    `Could not ${attempt.verb} ${attempt.verb === "list" ? "" : "the endpoint "}${attempt.name} (${code}${reason === undefined ? "" : `, ${reason}`}).`,
    error.advice ?? next(attempt, error),
    isAboutLocation(error) ? locationHint(attempt) : "",
    error.retryAfterMs === undefined
      ? ""
      : `The service asked to wait ${Math.ceil(error.retryAfterMs / 1000)} seconds.`,
    operation === undefined ? "" : `The operation is ${operation}.`,
    ...fieldViolations.map(({ field, description }) => `${field}: ${JSON.stringify(description)}`),
    isOurs(code)
      ? `Details: ${error.message}`
      : `The service responded: ${JSON.stringify(error.message)}`,
  ];
  const path = fieldViolations.map(({ field }) => attributePath(field)).find((found) => found);
  return new ProviderError({
    summary,
    detail: lines.filter((line) => line !== "").join("\n"),
    path: path ?? existingPath(code),
    cause: error,
  });
}

/** Checks whether a wrong location can be the cause: Google's services refuse one with any of these codes. */
export const isAboutLocation = ({ code, reason, fieldViolations }: ApiError): boolean =>
  ["NOT_FOUND", "INVALID_ARGUMENT", "PERMISSION_DENIED"].includes(code) &&
  !Object.hasOwn(reasons, reason ?? "") &&
  fieldViolations.every(({ field }) => attributePath(field) === undefined);

/** Checks whether the message comes from the client, because the service sent no valid error. */
const isOurs = (code: ApiErrorCode): boolean => !statusNames.some((name) => name === code);

/**
 * Returns the attribute for a field name of the service, such as `endpoint.threat_exceptions` or
 * `endpointId`.
 */
function attributePath(field: string): Path | undefined {
  const [first = ""] = field.replace(/^endpoint\./, "").split(/[.[]/);
  const name = camelCase(first);
  return Object.hasOwn(endpoint.attributes, name) ? [name] : undefined;
}

const existingPath = (code: ApiErrorCode): Path | undefined =>
  code === "ALREADY_EXISTS" ? ["endpointId"] : undefined;
