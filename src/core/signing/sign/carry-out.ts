import type { CallContext } from "../../http/call-context";
import { parseTrustedJson } from "../../json/plain-json";
import {
  type ChangeContext,
  type OperationContext,
  type PrivateState,
  ProviderError,
  type Unknown,
} from "../../provider-kit";
import type { Signing } from "../provider/configure";
import { imageOf, signingFailure } from "../provider/signing-failure";
import type { ProviderServices, SigningServices } from "../provider/services";
import type { SigningRequest } from "./signing-run";
import { isSigningError } from "./signing-error";
import { missingOf, parseWritten, type Written } from "./attached-layers";
import { isServiceError } from "../sigstore/service/call-service";

export type StringValue = string | Unknown | null;

/** The planned values that signing and attesting share. */
export interface Planned {
  readonly image: string;
  readonly conflict: StringValue;
  readonly key: StringValue;
  readonly fulcioUrl: StringValue;
  readonly rekorUrl: StringValue;
  readonly signatureFormat: StringValue;
  readonly recursive: boolean | Unknown | null;
}

export type SigningChange = Omit<ChangeContext<never, Signing>, "save">;

/** Writes signatures or attestations of an image; returns what is now in the registry. */
type Write = (
  request: SigningRequest,
  services: SigningServices,
  call: CallContext,
) => Promise<Written>;

/**
 * Carries out a plan: chooses the services, writes signatures or attestations, and records in the private state what
 * was written. Without an identity token, it skips with a warning if the provider allows that.
 *
 * @param attempt for messages, such as `Signing registry/repository@sha256:…`
 * @returns the computed attributes that signing and attesting share
 */
export async function carryOut(
  attempt: string,
  plan: Planned,
  {
    client,
    privateState,
    signal,
    warn,
  }: Pick<SigningChange, "client" | "privateState" | "signal" | "warn">,
  write: Write,
) {
  const call = { signal, deadline: Date.now() + client.timeoutMs };
  let urls: ServiceUrls | undefined;
  let skipped = false;
  try {
    const onWarning = (detail: string) => {
      warn({ summary: "Earlier Bundles Were Kept", detail: `${attempt}: ${detail}` });
    };
    const available = { ...(await client.services()), onWarning };
    const chosen = await chooseServices(plan, available, client);
    urls = chosen.urls;
    const request = {
      image: imageOf(plan.image),
      conflict: conflictOf(plan),
      format: formatOf(plan, client),
      fulcioUrl: urls.fulcioUrl ?? "",
      rekorUrl: urls.rekorUrl ?? "",
      isRecursive: typeof plan.recursive === "boolean" ? plan.recursive : undefined,
      previous: recorded(privateState),
    };
    record(privateState, await write(request, chosen.services, call));
  } catch (error) {
    const lacksIdentity = isServiceError(error) && error.code === "NO_IDENTITY";
    if (!lacksIdentity || !client.skipWithoutIdentity) throw signingFailure(error, attempt);
    record(privateState, undefined);
    skipped = true;
    warn({
      summary: "Image Not Signed",
      detail:
        `${attempt} was skipped, because there is no identity token and the provider's ` +
        "skip_without_identity is true. Verification of the image will fail.",
    });
  }
  return {
    id: plan.image,
    skipped,
    // A URL that the plan knew stays.
    fulcioUrl: isUrl(plan.fulcioUrl) ? plan.fulcioUrl : (urls?.fulcioUrl ?? null),
    rekorUrl: isUrl(plan.rekorUrl) ? plan.rekorUrl : (urls?.rekorUrl ?? null),
  };
}

/**
 * Finds and records what an imported resource, or one of another provider, has written, so that the next plan is empty.
 * Without an identity token, or if something is missing, the next apply does that.
 *
 * @param look finds it, and writes nothing
 */
export async function adopt(
  state: Planned,
  { client, ...context }: OperationContext<Signing>,
  look: Write,
) {
  const provider = { ...client, skipWithoutIdentity: false };
  const lookFor = async (signatureFormat: SigningRequest["format"] | null) => {
    const found = await carryOut(
      "Importing",
      { ...state, signatureFormat, conflict: "SKIPSAME" },
      { ...context, client: provider },
      (request, ...rest) => look({ ...request, isLookOnly: true }, ...rest),
    );
    return { ...found, signatureFormat, conflict: state.conflict ?? "SKIPSAME" } as const;
  };
  try {
    return await lookFor(isFormat(state.signatureFormat) ? state.signatureFormat : null);
  } catch (error) {
    if (context.signal.aborted || !(error instanceof ProviderError)) throw error;
    const { cause } = error;
    const isNothing = isSigningError(cause) && cause.code === "NOT_ATTACHED";
    // The format is not known after an import.
    for (const format of isNothing && state.signatureFormat === null ? formats : []) {
      const found = await lookFor(format).catch((failure: unknown) => {
        if (context.signal.aborted || !(failure instanceof ProviderError)) throw failure;
      });
      if (found !== undefined) return found;
    }
    const lacksIdentity = isServiceError(cause) && cause.code === "NO_IDENTITY";
    if (!isNothing && !lacksIdentity) {
      const detail = `${error.detail} What is attached to the image is not known, so the next apply signs it if necessary.`;
      context.warn({ summary: "Imported Without Its Signatures", detail });
    }
    return {};
  }
}

const formats = ["legacy", "bundle"] as const;

/**
 * Checks whether everything we wrote is still in the registry. Warns about what is missing.
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
    const call = { signal, deadline: Math.min(deadline, Date.now() + client.timeoutMs) };
    const missing = await missingOf(written, await client.services(), call);
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

const recordKey = "written";

function recorded(privateState: PrivateState): Written | undefined {
  const json = privateState.get(recordKey);
  return json === undefined ? undefined : parseWritten(parseTrustedJson(json));
}

/** Records what we wrote to the registry, so that a later read can detect what is missing. */
function record(privateState: PrivateState, written: Written | undefined): void {
  if (written === undefined) privateState.delete(recordKey);
  else privateState.set(recordKey, JSON.stringify(written));
}

/**
 * The key to sign with: the resource's or the provider's; undefined for an identity.
 *
 * @throws ProviderError for an identity if the provider logs nothing
 */
export function keyOf(
  config: { readonly key: StringValue },
  provider: Signing,
): string | Unknown | undefined {
  const own = config.key === "" ? null : config.key;
  const key = own ?? provider.key;
  if (key !== undefined || provider.isLogged) return key;
  throw new ProviderError({
    summary: "Signatures With An Identity Are Logged",
    detail:
      "The provider's transparency_log is false, but signatures with an identity cannot be verified without " +
      "the log. Set key to sign with a key, or remove transparency_log.",
    path: ["key"],
  });
}

const conflictOf = ({ conflict }: Planned): SigningRequest["conflict"] =>
  conflict === "APPEND" || conflict === "REPLACE" ? conflict : "SKIPSAME";

function formatOf({ signatureFormat }: Planned, provider: Signing): SigningRequest["format"] {
  const format = signatureFormat ?? provider.format;
  return isFormat(format) ? format : "legacy";
}

const isFormat = (format: StringValue): format is SigningRequest["format"] =>
  format === "legacy" || format === "bundle" || format === "both";

/** The URLs of services; undefined for one that is not used. */
interface ServiceUrls {
  readonly fulcioUrl: string | undefined;
  readonly rekorUrl: string | undefined;
}

/**
 * Chooses the services: at the planned URLs, or as the provider's signing config selects.
 *
 * Layers of the format `legacy` cannot contain entries of version 2 of the log.
 *
 * @throws TrustError, ProviderError
 */
async function chooseServices(
  plan: Planned,
  available: ProviderServices,
  provider: Signing,
): Promise<{ readonly urls: ServiceUrls; readonly services: SigningServices }> {
  const reference = keyOf(plan, provider);
  const key =
    typeof reference === "string"
      ? {
          open: (call: CallContext) => available.openKey(reference, call),
          isLogged: provider.isLogged,
        }
      : undefined;
  const services = { ...available, key };
  const { select } = available;
  const format = formatOf(plan, provider);
  const bundle = format === "legacy" ? undefined : await select?.("bundle");
  const legacy = format === "bundle" ? undefined : await select?.("legacy");
  const selected = legacy ?? bundle;
  const found: Readonly<Record<keyof ServiceUrls, StringValue | undefined>> =
    selected === undefined
      ? provider
      : { fulcioUrl: selected.fulcioUrl, rekorUrl: selected.logs[0]?.url };
  // With a signing config, bundles use what it selects: the plan refuses a URL of the resource for them.
  const isPlanned = select === undefined || legacy !== undefined;
  const urlOf = (name: keyof ServiceUrls): string | undefined => {
    const url = isPlanned && isUrl(plan[name]) ? plan[name] : found[name];
    // Unknown in the plan only with a key that was unknown, too.
    if (select === undefined && !isUrl(url)) throw new Error(`${name} was not set by the plan`);
    return isUrl(url) ? url : undefined;
  };
  const urls = {
    fulcioUrl: key === undefined ? urlOf("fulcioUrl") : undefined,
    rekorUrl: provider.isLogged ? urlOf("rekorUrl") : undefined,
  };
  if (selected === undefined) return { urls, services };
  const timestampUrl = selected.timestampUrls[0];
  return { urls, services: { ...services, timestampUrl, bundleServices: bundle } };
}

const isUrl = (value: StringValue | undefined): value is string => typeof value === "string";
