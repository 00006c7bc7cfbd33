import { failureMessage } from "../../http/failure";
import { HttpError } from "../../http/http-error";
import { serverMessage } from "../../http/server-message";
import { isRecord } from "../../json/plain-json";

/** The library of a cloud gave no identity. The message contains no secrets. */
export class IdentityError extends Error {
  override readonly name = "IdentityError";

  constructor(
    message: string,
    /** True if this machine has no identity: nothing that could be one has failed. */
    readonly isAbsent: boolean,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

interface Search {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables that name an identity. If one is set, finding none is a failure. */
  readonly variables: readonly string[];
  /** Recognises the library's error for none, by its name or its message. */
  readonly isNone: (name: unknown, message: string) => boolean;
  /** Secrets that were sent, and that the error may repeat. */
  readonly secrets: ReadonlySet<string>;
}

/** Converts what a library throws; an `HttpError` stays one. */
export function identityFailure(
  error: unknown,
  { env, variables, isNone, secrets }: Search,
): HttpError | IdentityError {
  if (error instanceof HttpError || error instanceof IdentityError) return error;
  const isNamed = variables.some((name) => (env[name] ?? "") !== "");
  const name = isRecord(error) ? error["name"] : undefined;
  const message = failureMessage(error);
  const shown = serverMessage(message, [...secrets]);
  return new IdentityError(shown, isNone(name, message) && !isNamed, error);
}
