import { AwsClient } from "google-auth-library";
import { HttpError } from "../http/http-error";
import type { ExternalAccount } from "./credentials";
import { GoogleError } from "./google-error";
import { sendForToken, type TokenServices } from "./token-request";

/**
 * Signs a request as AWS requires, which proves the identity of the machine or of the variables AWS_… to
 * Google. Uses Google's library, which takes long to load: import this file only dynamically.
 *
 * @throws GoogleError
 * @see https://google.aip.dev/auth/4117#determining-the-subject-token-in-aws
 */
export async function awsSubjectToken(
  services: TokenServices,
  { audience, subjectTokenType, tokenUrl, origin }: ExternalAccount,
  settings: Readonly<Record<string, unknown>>,
): Promise<string> {
  const text = (name: string): string | undefined => {
    const value = settings[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const optional = Object.fromEntries(
    ["region_url", "url", "imdsv2_session_token_url"].flatMap((name) => {
      const value = text(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const client = new AwsClient({
    type: "external_account",
    audience,
    subject_token_type: subjectTokenType,
    token_url: tokenUrl,
    credential_source: {
      environment_id: "aws1",
      regional_cred_verification_url: text("regional_cred_verification_url") ?? "",
      ...optional,
    },
    transporterOptions: {
      fetchImplementation: fetchWith(services, origin),
      retryConfig: { retry: 0 },
    },
  });
  try {
    return await client.retrieveSubjectToken();
  } catch (error) {
    throw explain(error, origin);
  }
}

/** Sends the library's requests with our client: its deadlines, limits and certificates. */
function fetchWith(services: TokenServices, origin: string): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : input.toString();
    const method = init?.method === "PUT" ? "PUT" : "GET";
    const headers = Object.fromEntries(new Headers(init?.headers).entries());
    const service = "the metadata service of AWS";
    const request = { service, origin, method, url, headers, secrets: [] } as const;
    const { status, body, headers: answered } = await sendForToken(services, request);
    return new Response(body.toString("utf8"), { status, headers: answered });
  };
}

// The library's errors contain requests and responses, so only their status is shown.
function explain(error: unknown, origin: string): GoogleError {
  const known = [error, field(error, "cause")].find((each) => each instanceof GoogleError);
  if (known instanceof GoogleError) return known;
  if (error instanceof HttpError) return new GoogleError("TRANSPORT", error.message);
  const status = field(error, "status") ?? field(field(error, "response"), "status");
  const why =
    typeof status === "number"
      ? `the metadata service of AWS responded with HTTP status ${status}`
      : "there are no AWS credentials, or no region";
  return new GoogleError(
    "SUBJECT",
    `${origin}: no identity of AWS: ${why}; run on a machine of AWS with a role, or set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION`,
  );
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
