import { ProviderError } from "../../provider-kit";
import type { Path } from "../../schema/finding";
import { ApiError, type ApiErrorCode, statusNames } from "../client/api-error";
import { endpoint } from "./declare";

/** The attempted operation, for the message. */
export interface Attempt {
  readonly verb: "create" | "read" | "update" | "delete";
  /** Full name of the endpoint. */
  readonly name: string;
  /** The attributes that an update would have changed. */
  readonly changed?: readonly string[] | undefined;
}

interface Advice {
  readonly summary: string;
  readonly next: (attempt: Attempt) => string;
}

const always = (hint: string) => (): string => hint;

const replaceHint = ({ verb, changed = [] }: Attempt): string =>
  verb === "update"
    ? `If the service cannot change ${changed.join(", ")} in place, plan with -replace=ADDRESS.`
    : "";

const preconditions: Readonly<Record<Attempt["verb"], Advice["next"]>> = {
  create: always(
    "The network needs private services access (a reserved range and a service networking " +
      "connection), and the project needs the API enabled, before an endpoint can be created.",
  ),
  read: always(""),
  update: replaceHint,
  delete: always(
    "If another operation on the endpoint is still running, apply again when it has finished.",
  ),
};

const advice: Readonly<Partial<Record<ApiErrorCode, Advice>>> = {
  ALREADY_EXISTS: {
    summary: "Endpoint Already Exists",
    next: ({ name }) =>
      `If it is yours, import it: terraform import ADDRESS ${name} (ADDRESS is the resource address, such as ` +
      "ids_endpoint.edge). Otherwise choose another endpoint_id.",
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
  CANCELLED_BY_USER: {
    summary: "Interrupted",
    next: always("Run the same command again. Everything that exists is in the state."),
  },
  DEADLINE: {
    summary: "Operation Timed Out",
    next: ({ verb }) => `Allow more time with timeouts { ${verb} = "…" }, and apply again.`,
  },
  CREDENTIALS: { summary: "No Access Token", next: always("Check the provider's credentials.") },
  TRANSPORT: {
    summary: "Service Not Reached",
    next: always("Check the network, the proxy settings and cloud_ids_custom_endpoint."),
  },
};

/**
 * Converts an `ApiError` to a `ProviderError` that says how to fix it. Returns any other error
 * unchanged.
 */
export function serviceError(error: unknown, attempt: Attempt): unknown {
  if (!(error instanceof ApiError)) return error;
  const { code, fieldViolations, operation, reason } = error;
  const { summary, next } = advice[code] ?? { summary: "Service Error", next: always("") };
  const lines = [
    `Could not ${attempt.verb} the endpoint ${attempt.name} (${code}${reason === undefined ? "" : `, ${reason}`}).`,
    next(attempt),
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

/** Whether the message comes from the client, because the service sent no valid error. */
const isOurs = (code: ApiErrorCode): boolean => !statusNames.some((name) => name === code);

/**
 * Returns the attribute for a field name of the service, such as `endpoint.threat_exceptions` or
 * `endpointId`.
 */
function attributePath(field: string): Path | undefined {
  const [first = ""] = field.replace(/^endpoint\./, "").split(/[.[]/);
  const name = first.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.hasOwn(endpoint.attributes, name) ? [name] : undefined;
}

const existingPath = (code: ApiErrorCode): Path | undefined =>
  code === "ALREADY_EXISTS" ? ["endpointId"] : undefined;
