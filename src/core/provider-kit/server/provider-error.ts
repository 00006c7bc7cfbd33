import type { Path } from "../../schema/finding";
import type { ClientCapabilities } from "../wire/tfplugin6/tfplugin6-value";

/** The message that Terraform shows when an operation fails. */
export interface ProviderErrorProps {
  /** Title Case, at most 60 characters, without values. */
  readonly summary: string;
  /** Sentences: what happened, with which value, and what to do next. Never a secret. */
  readonly detail: string;
  /** The attribute to blame, in the declaration's names. @default the whole resource */
  readonly path?: Path | undefined;
  /** The caught value, for logs. It is not shown. */
  readonly cause?: unknown;
}

/**
 * The error that a handler throws when the configuration or the service is to blame.
 *
 * Any other error is reported as a bug in the provider.
 */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly summary: string;
  readonly detail: string;
  readonly path: Path | undefined;

  constructor(props: ProviderErrorProps) {
    super(
      `${props.summary}: ${props.detail}`,
      props.cause === undefined ? undefined : { cause: props.cause },
    );
    this.summary = props.summary;
    this.detail = props.detail;
    this.path = props.path;
  }
}

/**
 * Why something is deferred to a later run.
 *
 * - `RESOURCE_CONFIG_UNKNOWN`: a value in the configuration of the resource is not known yet
 * - `PROVIDER_CONFIG_UNKNOWN`: a setting of the provider is not known yet
 * - `ABSENT_PREREQ`: a prerequisite does not exist yet
 */
export type DeferralReason =
  "RESOURCE_CONFIG_UNKNOWN" | "PROVIDER_CONFIG_UNKNOWN" | "ABSENT_PREREQ";

/** The error that users see if Terraform cannot defer, and the reason for the deferral. */
export interface DeferralProps extends ProviderErrorProps {
  readonly reason: DeferralReason;
}

/**
 * Defers a plan, a read, an import or the opening of an ephemeral resource to a later run, in which more is
 * known: the handler throws it. Thrown by `configure`, it defers everything that the provider does.
 *
 * Terraform can defer only with `-allow-deferral`, which no release has yet. Otherwise, and in `create`, `update` and
 * `delete`, it is an ordinary {@link ProviderError}: users see its summary and detail, which must say what to do
 * instead.
 *
 * @see {@link https://developer.hashicorp.com/terraform/plugin/framework/deferred-actions}
 */
export class Deferral extends ProviderError {
  readonly reason: DeferralReason;

  constructor(props: DeferralProps) {
    super(props);
    this.reason = props.reason;
  }
}

/**
 * Returns the part of a response that defers it.
 *
 * @param error the error that a handler has thrown
 * @returns undefined if the error is no deferral, or if Terraform cannot defer
 */
export function deferredBy(
  error: unknown,
  capabilities: ClientCapabilities | undefined,
): { readonly deferred: { readonly reason: DeferralReason } } | undefined {
  if (!(error instanceof Deferral) || capabilities?.deferralAllowed !== true) return undefined;
  return { deferred: { reason: error.reason } };
}
