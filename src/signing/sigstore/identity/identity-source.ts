import { readFile } from "node:fs/promises";
import type { CallContext } from "../../../http/call-context";
import type { HttpClient } from "../../../http/client";
import { hasCode } from "../../../process/system-error";
import { githubActionsToken } from "./github-actions";
import { renewedValue } from "../../../http/renewed-value";
import { interrupted, ServiceError } from "../service/service-error";
import { type IdentityToken, isFresh, readIdentityToken, tokenReserveMs } from "./identity-token";

/** Where an orchestrator puts a token for the container that signs. */
const tokenFile = "/var/run/sigstore/cosign/oidc-token";

export interface IdentitySourceSettings {
  /** A token that was given expressly, and how messages name where it was given. */
  readonly given?: { readonly text: string; readonly source: string } | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly http: HttpClient;
  readonly now: () => number;
  /** @default the place that orchestrators know */
  readonly file?: string | undefined;
  /** Is told of every secret. */
  readonly redact?: ((secret: string) => void) | undefined;
}

/**
 * Gives the token of who signs, the same one for as long as it holds; undefined when there is none.
 *
 * The sources, the first that is there: a token given expressly, the token file, GitHub Actions.
 */
export type IdentitySource = (context: CallContext) => Promise<IdentityToken | undefined>;

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
        `The identity token of ${found.subject} has expired, or is about to: get a fresh one.`,
      );
    },
    // That there is none is looked at again each time.
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
