import type { CallContext } from "../../http/call-context";
import type { ChangeContext, OperationContext, PrivateState } from "../../provider-kit";
import type { Signing } from "../provider/configure";
import { signingFailure } from "../provider/signing-failure";
import type { SigningServices } from "../run/signing-services";
import { type Written, parseWritten } from "../run/written";
import { ServiceError } from "../sigstore/service/service-error";

type Change = Omit<ChangeContext<never, Signing>, "save">;

/** One operation that writes signatures or attestations of an image. */
export type Write = (
  services: SigningServices,
  call: CallContext,
  previous: Written | undefined,
) => Promise<Written>;

/**
 * Writes, notes what was written, and says whether anything was: without an identity nothing is, where the
 * provider allows that.
 *
 * @param attempt `Signing registry/repository@sha256:…`
 */
export async function writeAndNote(
  attempt: string,
  { client, privateState, signal, warn }: Change,
  write: Write,
): Promise<{ readonly skipped: boolean }> {
  const deadline = Date.now() + client.timeoutMs;
  try {
    const services = await client.services();
    note(privateState, await write(services, { signal, deadline }, noted(privateState)));
    return { skipped: false };
  } catch (error) {
    const isNobody = error instanceof ServiceError && error.code === "NO_IDENTITY";
    if (!isNobody || !client.skipWithoutIdentity) throw signingFailure(error, attempt);
    note(privateState, undefined);
    warn({
      summary: "Nothing Was Signed",
      detail:
        `${attempt} was skipped, because there is no identity token and the provider's ` +
        "skip_without_identity is set. Whoever verifies the image will refuse it.",
    });
    return { skipped: true };
  }
}

/** Whether all that was written is there still; a warning says what is not. */
export async function isComplete(
  attempt: string,
  { client, privateState, signal, deadline, warn }: OperationContext<Signing>,
): Promise<boolean> {
  const written = noted(privateState);
  if (written === undefined) return true;
  try {
    const { isStillWritten } = await import("../attached/is-still-written.js");
    const call = { signal, deadline: Math.min(deadline, Date.now() + client.timeoutMs) };
    const { missing } = await isStillWritten(written, await client.services(), call);
    if (missing.length === 0) return true;
    warn({
      summary: "Signatures Are Missing",
      detail: `Of ${attempt} is gone from the registry: ${missing.join("; ")}. The next apply makes it again.`,
    });
    return false;
  } catch (error) {
    throw signingFailure(error, `Looking for ${attempt}`);
  }
}

const key = "written";

/** What of ours is in the registry, as it was noted; undefined when nothing was. */
function noted(privateState: PrivateState): Written | undefined {
  const text = privateState.get(key);
  return text === undefined ? undefined : parseWritten(JSON.parse(text));
}

/** Notes what of ours is in the registry, so that it is missed when it is gone. */
function note(privateState: PrivateState, written: Written | undefined): void {
  if (written === undefined) privateState.delete(key);
  else privateState.set(key, JSON.stringify(written));
}
