import type { RequestOf, ResponseInitOf } from "../../wire/tfplugin6/tfplugin6";
import { errorDiagnostic } from "../diagnostic";
import { type Call, diagnosed } from "./call";
import type { CallContext } from "../../wire/grpc/grpc-route";
import type { Session } from "../session";
import type { DiagnosticInit } from "../../wire/tfplugin6/tfplugin6-value";

/** Asks the handler of an action whether it can run, as far as is known during the plan. */
export const planAction: Call<"planAction"> = (session, request, context) =>
  diagnosed(async (warnings) => {
    const { declaration, plan } = session.action(request.actionType);
    const compiled = session.compiled(declaration);
    try {
      if (plan !== undefined) {
        const config = compiled.decodeConfig(request.config);
        await plan(config, session.context({ compiled, context, warnings }, {}));
      }
      return {};
    } catch (error) {
      return { diagnostics: [errorDiagnostic(error, compiled.type)] };
    }
  });

/** Runs an action. Its progress is sent while it runs, and its diagnostics at the end. */
export async function* invokeAction<Client>(
  session: Session<Client>,
  request: RequestOf<"invokeAction">,
  context: CallContext,
): AsyncGenerator<ResponseInitOf<"invokeAction">, void, void> {
  const progress = new ProgressQueue();
  const completed = invoke(session, request, context, progress);
  for await (const message of progress) yield { progress: { message } };
  const diagnostics = (await completed).map(session.secrets.censor);
  yield { completed: { diagnostics } };
}

async function invoke<Client>(
  session: Session<Client>,
  { actionType, config }: RequestOf<"invokeAction">,
  context: CallContext,
  queue: ProgressQueue,
): Promise<readonly DiagnosticInit[]> {
  const warnings: DiagnosticInit[] = [];
  try {
    const { declaration, invoke } = session.action(actionType);
    const compiled = session.compiled(declaration);
    try {
      const given = compiled.decodeConfig(config);
      const progress = (message: string): void => {
        queue.push(session.secrets.censorText(message));
      };
      const parts = { compiled, context, warnings };
      await invoke(given, session.context(parts, { progress }));
      return warnings;
    } catch (error) {
      return [...warnings, errorDiagnostic(error, compiled.type)];
    }
  } catch (error) {
    return [errorDiagnostic(error)];
  } finally {
    queue.end();
  }
}

/** The number of messages that wait while Terraform does not read. */
const maxWaiting = 100;
const maxLength = 1000;

/**
 * A queue of progress messages of an action, for one reader. It is bounded: further messages are only
 * counted.
 */
class ProgressQueue implements AsyncIterable<string> {
  readonly #waiting: string[] = [];
  #omitted = 0;
  #hasEnded = false;
  #wake: (() => void) | undefined;

  /** Adds a message, shortened to 1,000 characters. Ignored after the end. */
  push(message: string): void {
    if (this.#hasEnded) return;
    if (this.#waiting.length >= maxWaiting) this.#omitted += 1;
    else this.#waiting.push(shortened(message));
    this.#wakeReader();
  }

  /** Marks the end: no more messages follow. */
  end(): void {
    this.#hasEnded = true;
    this.#wakeReader();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, void> {
    for (;;) {
      const next = this.#next();
      if (next !== undefined) yield next;
      else if (this.#hasEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #next(): string | undefined {
    const next = this.#waiting.shift();
    if (next !== undefined || this.#omitted === 0) return next;
    const text = `(${this.#omitted} more messages were omitted)`;
    this.#omitted = 0;
    return text;
  }

  #wakeReader(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

const shortened = (message: string): string =>
  message.length <= maxLength ? message : `${message.slice(0, maxLength - 1)}…`;
