import type { Path } from "../../schema/finding";

/** What Terraform shows when an operation fails. */
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
