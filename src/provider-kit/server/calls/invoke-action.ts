import type { CallContext } from "../../wire/grpc/grpc-route";
import type {
  DiagnosticInit,
  InvokeActionEventInit,
  InvokeActionRequest,
} from "../../wire/tfplugin6/tfplugin6";
import { errorDiagnostic } from "../diagnostic";
import type { Session } from "../session";
import { ProgressQueue } from "./progress-queue";

/** Runs an action. Its progress is sent while it runs, and its diagnostics at the end. */
export async function* invokeAction<Client>(
  session: Session<Client>,
  request: InvokeActionRequest,
  context: CallContext,
): AsyncGenerator<InvokeActionEventInit, void, void> {
  const progress = new ProgressQueue();
  const completed = invoke(session, request, context, progress);
  for await (const message of progress) yield { progress: { message } };
  const diagnostics = (await completed).map(session.secrets.censor);
  yield { completed: { diagnostics } };
}

async function invoke<Client>(
  session: Session<Client>,
  { actionType, config }: InvokeActionRequest,
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
