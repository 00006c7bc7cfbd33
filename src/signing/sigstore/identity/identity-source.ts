import { readFile } from "node:fs/promises";
import type { CallContext } from "../../../http/call-context";
import type { HttpClient } from "../../../http/client";
import { hasCode } from "../../../process/system-error";
import { githubActionsToken } from "./github-actions";
import { renewedValue } from "../../../http/renewed-value";
import { interrupted, ServiceError } from "../service/service-error";
import { type IdentityToken, isFresh, readIdentityToken, tokenReserveMs } from "./identity-token";

/** The file in which orchestrators provide a token to containers. */
const tokenFile = "/var/run/sigstore/cosign/oidc-token";

/** Where to look for an identity token. */
export interface IdentitySourceSettings {
  /** A configured token, and the name of its source in messages. */
  readonly given?: { readonly text: string; readonly source: string } | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly http: HttpClient;
  readonly now: () => number;
  /** @default the file that orchestrators use */
  readonly file?: string | undefined;
  /** Receives every secret, so that logs can redact it. */
  readonly redact?: ((secret: string) => void) | undefined;
}

/**
 * Finds the signer's identity token, and caches it until shortly before it expires; undefined if there is none.
 *
 * Uses the first of: the configured token, the token file, GitHub Actions.
 */
export type IdentitySource = (context: CallContext) => Promise<IdentityToken | undefined>;

/** Creates an {@link IdentitySource}. */
export function identitySource(settings: IdentitySourceSettings): IdentitySource {
  const { now, redact } = settings;
  return renewedValue<IdentityToken | undefined, CallContext>({
    async renew(context) {
      const found = await find(settings, context);
      if (found === undefined) return undefined;
      redact?.(found.text);
      if (isFresh(found, now())) return found;
      throw new ServiceError(
        "IDENTITY",
        `The identity token of ${found.subject} has expired or is about to expire: get a new one.`,
      );
    },
    // A missing token is not cached.
    expiresAt: (token) => token?.expiresAt.getTime() ?? -Infinity,
    marginMs: tokenReserveMs,
    now,
    interrupted,
  });
}

async function find(
  { given, env, http, file = tokenFile }: IdentitySourceSettings,
  context: CallContext,
): Promise<IdentityToken | undefined> {
  if (given !== undefined) return readIdentityToken(given.text, given.source);
  const text = await textOf(file);
  if (text !== undefined) return readIdentityToken(text, `the file ${file}`);
  return githubActionsToken({ env, http, context });
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw new ServiceError("IDENTITY", `The identity token in ${file} cannot be read.`, error);
  }
}
