import type {
  Credentials,
  ExternalAccount,
  SubjectTokenSource,
  TrustedServices,
} from "./credentials";
import { type AllowedHosts, checkCredentialUrl, impersonationUrlIn } from "./credential-url";
import { googleError, type GoogleError } from "./google-error";
import type { CredentialFields } from "./credential-fields";

type Common = Pick<Credentials, "origin" | "project" | "quotaProject" | "universeDomain">;

const service = "service_account_impersonation";

/**
 * Reads the file of an external account: workload or workforce identity federation.
 *
 * @throws GoogleError `FILE` or `URL`
 * @see https://google.aip.dev/auth/4117
 */
export function externalAccount(
  fields: CredentialFields,
  common: Common,
  trusted: TrustedServices,
): ExternalAccount {
  const { origin, universeDomain } = common;
  const isImpersonating = fields.has(`${service}_url`);
  const lifetime = fields.has(service)
    ? fields.object(service).integer("token_lifetime_seconds", 600, 43_200)
    : undefined;
  return {
    ...common,
    type: "external_account",
    ...fields.strings({ audience: "audience", subjectTokenType: "subject_token_type" }),
    subject: subjectTokenSource(fields.object("credential_source")),
    tokenUrl: checkCredentialUrl(
      {
        text: fields.optional("token_url") ?? `https://sts.${universeDomain}/v1/token`,
        field: "token_url",
        origin,
      },
      trusted,
    ),
    clientId: fields.optional("client_id"),
    clientSecret: fields.optional("client_secret"),
    workforcePoolUserProject: fields.optional("workforce_pool_user_project"),
    impersonation: isImpersonating
      ? {
          url: impersonationUrlIn(fields, trusted),
          delegates: [],
          lifetimeSeconds: lifetime ?? 3_600,
        }
      : undefined,
  };
}

function subjectTokenSource(source: CredentialFields): SubjectTokenSource {
  const url = (name: string, allowed: AllowedHosts) => {
    const text = source.optional(name);
    const field = `credential_source.${name}`;
    if (text !== undefined) checkCredentialUrl({ text, field, origin: source.origin }, allowed);
  };
  const settings = source.json;
  if (source.has("environment_id")) {
    const id = source.string("environment_id");
    if (id !== "aws1") throw unusable(source, "environment_id must be aws1");
    for (const name of ["url", "region_url", "imdsv2_session_token_url"]) url(name, "metadata");
    // Not called by us: the signed request is sent to Google, which calls it.
    url("regional_cred_verification_url", "any");
    source.string("regional_cred_verification_url");
    return { kind: "aws", settings };
  }
  const kinds = (["file", "url", "executable", "certificate"] as const).filter((name) =>
    source.has(name),
  );
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    throw unusable(source, "must have exactly one of file, url, executable and environment_id");
  }
  if (kind === "certificate") {
    throw unusable(source, "certificate is not supported: use file, url, executable or AWS");
  }
  if (kind === "url") url("url", "metadata");
  return { kind, settings };
}

const unusable = ({ origin }: CredentialFields, problem: string): GoogleError =>
  googleError("FILE", `credential_source in ${origin}: ${problem}`);
