import { CredentialFields } from "./credential-fields";
import { type AllowedHosts, checkCredentialUrl, impersonationUrlIn } from "./credential-url";
import {
  type Credentials,
  type ExternalAccount,
  googleUniverse,
  type SubjectTokenSource,
  type TrustedServices,
} from "./credentials";
import { googleError, type GoogleError } from "./google-error";

/** The types of files that are supported, with the way to create each. */
const supported = [
  "service_account (a key: gcloud iam service-accounts keys create)",
  "authorized_user (gcloud auth application-default login)",
  "impersonated_service_account (the same with --impersonate-service-account)",
  "external_account (gcloud iam workload-identity-pools create-cred-config)",
  "external_account_authorized_user (gcloud auth application-default login --login-config)",
].join(", ");

const userTokenPath = "/v1/oauthtoken";

/**
 * Parses a file of Google credentials. URLs in it are checked.
 *
 * @param origin where it comes from, for messages
 * @param trusted the services that may receive tokens and secrets
 * @throws GoogleError `FILE`, `URL` or `UNIVERSE`. The message shows nothing of the credentials.
 * @see https://google.aip.dev/auth/4110
 */
export function parseCredentials(
  text: string,
  origin: string,
  trusted: TrustedServices = {},
): Credentials {
  return credentialsIn(CredentialFields.parse(text, origin), trusted, 0);
}

function credentialsIn(
  fields: CredentialFields,
  trusted: TrustedServices,
  depth: number,
): Credentials {
  const { origin } = fields;
  const universeDomain = fields.optional("universe_domain") ?? googleUniverse;
  const { universeDomain: expected = googleUniverse } = trusted;
  if (!/^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/.test(universeDomain)) {
    throw googleError("FILE", `universe_domain in ${origin} must be a domain`);
  }
  // Also for source_credentials: their file is the same.
  if (universeDomain !== expected) {
    throw googleError("UNIVERSE", `${origin} is for ${universeDomain}, not for ${expected}`, {
      advice: `Set universe_domain = "${universeDomain}", or use other credentials.`,
    });
  }
  const common = {
    origin,
    universeDomain,
    project: fields.optional("project_id"),
    quotaProject: fields.optional("quota_project_id"),
  };
  const tokenUrl = (field: string, standard: string) =>
    checkCredentialUrl({ text: fields.optional(field) ?? standard, field, origin }, "any");
  const type = fields.optional("type");
  switch (type) {
    case "service_account":
      return {
        ...common,
        type,
        ...fields.strings({ clientEmail: "client_email", privateKey: "private_key" }),
        privateKeyId: fields.optional("private_key_id"),
        tokenUrl: tokenUrl("token_uri", `https://oauth2.${universeDomain}/token`),
      };
    case "authorized_user":
      return {
        ...common,
        type,
        ...userFields(fields),
        tokenUrl: tokenUrl("token_uri", `https://oauth2.${universeDomain}/token`),
      };
    case "external_account_authorized_user":
      return {
        ...common,
        type,
        ...userFields(fields),
        tokenUrl: checkCredentialUrl(
          {
            text: fields.optional("token_url") ?? `https://sts.${universeDomain}${userTokenPath}`,
            field: "token_url",
            origin,
          },
          trusted,
        ),
      };
    case "impersonated_service_account": {
      // No real file is deeper than this.
      if (depth > 1) {
        throw googleError("FILE", `source_credentials in ${origin} are nested too deeply`);
      }
      return {
        ...common,
        type,
        source: credentialsIn(fields.object("source_credentials"), trusted, depth + 1),
        impersonation: {
          url: impersonationUrlIn(fields, trusted),
          delegates: fields.list("delegates"),
          lifetimeSeconds: 3_600,
        },
      };
    }
    case "external_account":
      return externalAccount(fields, common, trusted);
    default:
      throw unsupported(type, origin);
  }
}

const userFields = (fields: CredentialFields) =>
  fields.strings({
    clientId: "client_id",
    clientSecret: "client_secret",
    refreshToken: "refresh_token",
  });

/** Only a plain identifier is shown: the field of a damaged file could contain anything. */
function unsupported(type: string | undefined, origin: string): GoogleError {
  const known = type !== undefined && /^[a-z_]{1,40}$/.test(type);
  const problem = known ? `has the unsupported type ${type}` : "has an unknown type";
  return googleError(
    "FILE",
    `${origin} ${type === undefined ? "has no type" : problem}; supported types are ${supported}`,
  );
}

type Common = Pick<Credentials, "origin" | "project" | "quotaProject" | "universeDomain">;

const service = "service_account_impersonation";

/**
 * Reads the file of an external account: workload or workforce identity federation.
 *
 * @throws GoogleError `FILE` or `URL`
 * @see https://google.aip.dev/auth/4117
 */
function externalAccount(
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
    // Only Google calls this URL, with the signed request that it receives.
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
