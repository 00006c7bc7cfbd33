import type { CallContext } from "../../../http/call-context";
import type { HttpClient } from "../../../http/client";
import { renewedValue } from "../../../http/renewed-value";
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

export interface IdentitySourceSettings {
  /** A configured token, and the name of its source in messages. */
  readonly given?: { readonly text: string; readonly source: string } | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly http: HttpClient;
  readonly now: () => number;
  /** @default the file that orchestrators use */
  readonly file?: string | undefined;
  /** The file with the name of the machine's product. @default Linux's */
  readonly productFile?: string | undefined;
  /** Receives every secret, so that logs can redact it. */
  readonly redact?: ((secret: string) => void) | undefined;
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
      redact?.(found.text);
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
  const {
    given,
    file = tokenFile,
    productFile,
    env,
    http,
    now,
    redact = () => undefined,
  } = settings;
  if (given !== undefined) return readIdentityToken(given.text, given.source);
  const text = await readTokenFile(file, "the identity token");
  if (text !== undefined) return readIdentityToken(text, `the file ${file}`);
  for (const source of ambientSources(productFile)) {
    if (!(await source.isPresent(env))) continue;
    // A source that fails is an error: the next one may be somebody else.
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
   * Gets the token; undefined to continue with the next source. What it needs of its own is loaded only now.
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

/** The first two variables are those of Google's libraries, the third one is set in Cloud Run jobs. */
async function isGoogleMachine(env: TokenSearch["env"], productFile: string): Promise<boolean> {
  if (env["NO_GCE_CHECK"]?.toLowerCase() === "true") return false;
  const hints = ["GCE_METADATA_HOST", "CLOUD_RUN_JOB"];
  if (hints.some((name) => variable(env, name) !== undefined)) return true;
  // The file is absent or unreadable on many other machines.
  const product = await readTokenFile(productFile, "the machine's name").catch(() => undefined);
  return /^Google(?: Compute Engine)?\s*$/.test(product ?? "");
}
