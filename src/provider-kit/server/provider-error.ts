import type { Path } from "../../schema/finding";

/** What a user is told when an operation cannot be done. */
export interface ProviderErrorProps {
  /** Title Case, at most 60 characters, without values. */
  readonly summary: string;
  /** Sentences: what happened, with which value, and what to do next. Never a secret. */
  readonly detail: string;
  /** The attribute that is to blame, in the declaration's names. */
  readonly path?: Path | undefined;
  readonly cause?: unknown;
}

/** The error that a handler throws when the user, or the service, is to blame. */
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
