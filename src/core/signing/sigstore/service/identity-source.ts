import type { CallContext } from "../../../http/call-context";
import { renewedValue } from "../../../http/renewed-value";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import { serviceError } from "./call-service";
import {
  buildkiteToken,
  githubActionsToken,
  type IdentitySource,
  type IdentityToken,
  readIdentityToken,
  readTokenFile,
  type TokenSearch,
  variable,
} from "./identity-token";

/** The file in which orchestrators provide a token to containers. */
const tokenFile = "/var/run/sigstore/cosign/oidc-token";

/** A token is not used when it expires within this time. */
const reserveMs = 30_000;

export interface IdentitySourceSettings extends CloudSettings {
  /** A configured token, and its source for messages. */
  readonly given?: { readonly text: string; readonly source: string } | undefined;
  readonly now: () => number;
  /** @default the file that orchestrators use */
  readonly file?: string | undefined;
}

/**
 * Finds the signer's identity token, and caches it until shortly before it expires.
 *
 * Uses the first of: the configured token, the token file, the {@link ambientSources}.
 */
export function identitySource(settings: IdentitySourceSettings): IdentitySource {
  const { now, redact } = settings;
  return renewedValue<IdentityToken | undefined, CallContext>({
    async renew(context) {
      const found = await find(settings, context);
      if (found === undefined) return undefined;
      redact(found.text);
      if (now() < found.expiresAt.getTime() - reserveMs) return found;
      throw serviceError(
        "IDENTITY",
        `The identity token of ${found.subject} has expired or is about to expire: get a new one.`,
      );
    },
    // A missing token is not cached.
    expiresAt: (token) => token?.expiresAt.getTime() ?? -Infinity,
    marginMs: reserveMs,
    now,
  });
}

async function find(
  settings: IdentitySourceSettings,
  context: CallContext,
): Promise<IdentityToken | undefined> {
  const { given, file = tokenFile, productFile, env, http, now, redact } = settings;
  if (given !== undefined) return readIdentityToken(given.text, given.source);
  const text = await readTokenFile(file, "the identity token");
  if (text !== undefined) return readIdentityToken(text, `the file ${file}`);
  for (const source of ambientSources(productFile)) {
    if (!(await source.isPresent(env))) continue;
    // A source that fails is an error: the next one may have another identity.
    const token = await source.token({ env, http, context, now, redact });
    if (token !== undefined) return token;
  }
  return undefined;
}

/** A place where this process may be running, and how to get its identity token there. */
interface AmbientSource {
  /** Recognises the place. Must be cheap: it is called whenever a token is needed. */
  isPresent(env: TokenSearch["env"]): boolean | Promise<boolean>;
  /**
   * Gets the token; undefined to continue with the next source. Loads its own libraries only now.
   *
   * @throws ServiceError
   */
  token(search: TokenSearch): Promise<IdentityToken | undefined>;
}

const machineFile = "/sys/class/dmi/id/product_name";

/** The ambient sources in the order in which they are used. */
export function ambientSources(productFile = machineFile): readonly AmbientSource[] {
  return [
    {
      isPresent: hasAll("ACTIONS_ID_TOKEN_REQUEST_URL", "ACTIONS_ID_TOKEN_REQUEST_TOKEN"),
      token: githubActionsToken,
    },
    {
      isPresent: hasAll("BUILDKITE_AGENT_ACCESS_TOKEN"),
      token: buildkiteToken,
    },
    {
      isPresent: (env) => isGoogleMachine(env, productFile),
      token: async (search) => (await import("./google.js")).googleMachineToken(search),
    },
    {
      isPresent: hasAll("GOOGLE_SERVICE_ACCOUNT_NAME"),
      token: async (search) => (await import("./google.js")).impersonatedToken(search),
    },
    {
      isPresent: hasAll("SPIFFE_ENDPOINT_SOCKET"),
      token: async (search) => (await import("./spiffe.js")).spiffeToken(search),
    },
  ];
}

function hasAll(...names: readonly string[]) {
  return (env: TokenSearch["env"]): boolean =>
    names.every((name) => variable(env, name) !== undefined);
}

/** `NO_GCE_CHECK` and `GCE_METADATA_HOST` are variables of Google's libraries. Cloud Run jobs have `CLOUD_RUN_JOB`. */
async function isGoogleMachine(env: TokenSearch["env"], productFile: string): Promise<boolean> {
  if (env["NO_GCE_CHECK"]?.toLowerCase() === "true") return false;
  const hints = ["GCE_METADATA_HOST", "CLOUD_RUN_JOB"];
  if (hints.some((name) => variable(env, name) !== undefined)) return true;
  // The file is absent or unreadable on many other machines.
  const product = await readTokenFile(productFile, "the machine's name").catch(() => undefined);
  return /^Google(?: Compute Engine)?\s*$/.test(product ?? "");
}
