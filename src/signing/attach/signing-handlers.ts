import type { CallContext } from "../../http/call-context";
import type { ChangeContext, OperationContext, PrivateState } from "../../provider-kit";
import type { Signing } from "../provider/configure";
import { signingFailure } from "../provider/signing-failure";
import type { ProviderServices } from "../provider/signing-services";
import { type Written, parseWritten } from "./written";
import { ServiceError } from "../sigstore/service/call-service";
import { parseTrustedJson } from "../../json/plain-json";

type Change = Omit<ChangeContext<never, Signing>, "save">;

/** Writes signatures or attestations of an image; returns what is now in the registry. */
type Write = (
  services: ProviderServices,
  call: CallContext,
  previous: Written | undefined,
) => Promise<Written>;

/**
 * Writes signatures or attestations, and records in the private state what was written. Without an identity
 * token, it skips with a warning if the provider allows that.
 *
 * @param attempt for messages, such as `Signing registry/repository@sha256:…`
 */
export async function writeAndNote(
  attempt: string,
  { client, privateState, signal, warn }: Change,
  write: Write,
): Promise<{ readonly skipped: boolean }> {
  const deadline = Date.now() + client.timeoutMs;
  try {
    const onWarning = (detail: string) => {
      warn({ summary: "Earlier Bundles Were Kept", detail: `${attempt}: ${detail}` });
    };
    const services = { ...(await client.services()), onWarning };
    record(privateState, await write(services, { signal, deadline }, recorded(privateState)));
    return { skipped: false };
  } catch (error) {
    const lacksIdentity = error instanceof ServiceError && error.code === "NO_IDENTITY";
    if (!lacksIdentity || !client.skipWithoutIdentity) throw signingFailure(error, attempt);
    record(privateState, undefined);
    warn({
      summary: "Image Not Signed",
      detail:
        `${attempt} was skipped, because there is no identity token and the provider's ` +
        "skip_without_identity is true. Verification of the image will fail.",
    });
    return { skipped: true };
  }
}

/**
 * Whether everything we wrote is still in the registry. Warns about what is missing.
 *
 * @param attempt for messages, such as `the signature of registry/repository@sha256:…`
 */
export async function isComplete(
  attempt: string,
  { client, privateState, signal, deadline, warn }: OperationContext<Signing>,
): Promise<boolean> {
  const written = recorded(privateState);
  if (written === undefined) return true;
  try {
    const { isStillWritten } = await import("./written.js");
    const call = { signal, deadline: Math.min(deadline, Date.now() + client.timeoutMs) };
    const { missing } = await isStillWritten(written, await client.services(), call);
    if (missing.length === 0) return true;
    warn({
      summary: "Signatures Are Missing",
      detail: `Parts of ${attempt} are missing from the registry: ${missing.join("; ")}. The next apply creates them again.`,
    });
    return false;
  } catch (error) {
    throw signingFailure(error, `Reading ${attempt}`);
  }
}

const key = "written";

/** What we wrote to the registry, as recorded; undefined if nothing was recorded. */
function recorded(privateState: PrivateState): Written | undefined {
  const json = privateState.get(key);
  return json === undefined ? undefined : parseWritten(parseTrustedJson(json));
}

/** Records what we wrote to the registry, so that a later read can detect what is missing. */
function record(privateState: PrivateState, written: Written | undefined): void {
  if (written === undefined) privateState.delete(key);
  else privateState.set(key, JSON.stringify(written));
}
