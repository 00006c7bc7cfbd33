import { messageOf } from "../../../core/failure/failure";
import { ownValue } from "../../../core/json/plain-json";
import { hasCode } from "../../../core/process/system-error";
import { HttpFailure } from "../../service/answer";
import { buildText, importText } from "../build/report-text";
import { LocalPlatform, type LocalPlatformSettings } from "../local-platform";
import type { Preview } from "../preview/preview";
import { type BuildRequest, buildVerbs } from "../state/build-request";
import { isLocalPlatformError } from "../terraform/local-platform-error";
import { HiddenValues } from "../view/viewed-values";
import type { BuildEvent, BuildOutcome, PageAction } from "./page-data";

/** A request for a build. An import ignores everything except the variables. */
export interface PageBuildRequest extends Omit<BuildRequest, "transition" | "prebuild" | "claim"> {
  readonly action: PageAction;
  readonly workspace: string;
}

type Outcome = Omit<BuildOutcome, "workspace">;
type Listener = (event: BuildEvent) => void;

const maxLines = 5000;
const maxLineLength = 4000;

/** Runs one build at a time, and reports its progress to listeners. */
export class PageBuilds {
  readonly #settings: LocalPlatformSettings;
  readonly #listeners = new Set<Listener>();
  #running: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;
  /** The events of the running build, or of the last one. */
  #events: BuildEvent[] = [];
  #isClosed = false;

  constructor(settings: LocalPlatformSettings) {
    this.#settings = settings;
  }

  /**
   * @param hidden values that the progress must not show
   * @throws HttpFailure (409) while another build is running, (503) after {@link PageBuilds.close}
   */
  start(request: PageBuildRequest, hidden: HiddenValues): void {
    if (this.#isClosed) throw new HttpFailure(503, "The page's server is stopping.");
    if (this.#running !== undefined) {
      throw new HttpFailure(409, "Another build is already running.");
    }
    const stop = new AbortController();
    this.#events = [];
    this.#report({ kind: "started", action: request.action, workspace: request.workspace });
    const ended = this.#build(request, stop.signal, hidden).then((outcome) => {
      this.#running = undefined;
      this.#report({ kind: "finished", workspace: request.workspace, ...outcome });
    });
    this.#running = { stop, ended };
  }

  /** Stops the running build gracefully: Terraform saves its state first. */
  interrupt(): void {
    this.#running?.stop.abort();
  }

  /** Interrupts the running build and waits for its end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.interrupt();
    await this.#running?.ended;
  }

  /** Passes on the events so far, and each new one. Returns a function that stops it. */
  listen(listener: Listener): () => void {
    this.#events.forEach(listener);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #build(
    request: PageBuildRequest,
    signal: AbortSignal,
    hidden: HiddenValues,
  ): Promise<Outcome> {
    const log = (line: string): void => {
      this.#report({ kind: "line", text: hidden.redact(line).slice(0, maxLineLength) });
    };
    const platform = new LocalPlatform({ ...this.#settings, log, signal });
    const outcome = await run(platform, request).catch(failed);
    return {
      ...outcome,
      message: hidden.redact(outcome.message),
      warnings: outcome.warnings.map((warning) => hidden.redact(warning)),
    };
  }

  #report(event: BuildEvent): void {
    if (event.kind === "line" && this.#events.length > maxLines) this.#events.splice(1, 1);
    this.#events.push(event);
    for (const listener of this.#listeners) listener(event);
  }
}

async function run(
  platform: LocalPlatform,
  { action, ...request }: PageBuildRequest,
): Promise<Outcome> {
  if (action === "import") {
    const report = await platform.importTemplate(request);
    return done(importText(report), report.warnings, []);
  }
  const report = await platform.build({ ...request, ...buildVerbs[action] });
  return done(buildText(report), report.warnings, report.changes);
}

const done = (
  text: string,
  warnings: Outcome["warnings"],
  changes: Outcome["changes"],
): Outcome => ({ outcome: "done", cure: "", message: firstLine(text), warnings, changes });

const firstLine = (text: string): string => text.slice(0, text.indexOf("\n"));

function failed(failure: unknown): Outcome {
  const nothing = { warnings: [], changes: [] };
  if (!isLocalPlatformError(failure)) {
    const message = messageOf(failure);
    const cure = hasCode(failure, "ENOSPC") ? "Free some space on the disk, and build again." : "";
    return { outcome: "failed", message, cure, ...nothing };
  }
  const outcome = failure.code === "INTERRUPTED" ? "interrupted" : "failed";
  return { outcome, message: failure.message, cure: failure.advice ?? "", ...nothing };
}

type Values = Readonly<Record<string, string>>;

/** Keeps the values of masked parameters out of the data that the page gets. */
export class PageMasks {
  readonly #names = new Set<string>();

  /**
   * Returns the JSON of a preview without the values of masked parameters: the page has the values that the user enters
   * now, and does not get the values of the last build.
   *
   * @param kept the values of the last build that the page does not have
   */
  preview(preview: Preview, given: Values, kept: Values): string {
    for (const { name, styling } of preview.parameters) {
      if (styling.maskInput === true) this.#names.add(name);
    }
    for (const name of Object.keys(kept)) this.#names.add(name);
    const sent = { ...kept, ...given };
    const parameters = preview.parameters.map((parameter) =>
      this.#names.has(parameter.name) && Object.hasOwn(sent, parameter.name)
        ? { ...parameter, value: undefined }
        : parameter,
    );
    return new HiddenValues(this.#of(sent)).json({ ...preview, parameters });
  }

  /** Returns the values that the progress of a build must not show: masked ones, and the owner's secrets. */
  ofBuild(
    { parameters = {}, secretEnv, secretFiles, externalAuth }: PageBuildRequest,
    kept: Values,
  ): HiddenValues {
    const secrets = [secretEnv, secretFiles, externalAuth].flatMap((each) =>
      Object.values(each ?? {}),
    );
    return new HiddenValues([...secrets, ...Object.values(kept), ...this.#of(parameters)]);
  }

  /** Returns a problem without the masked value that causes it. */
  problem(problem: string | null, name: unknown, value: unknown): string | null {
    const isMasked = typeof name === "string" && this.#names.has(name);
    if (problem === null || !isMasked || typeof value !== "string") return problem;
    return new HiddenValues([value]).redact(problem);
  }

  #of(values: Values): readonly string[] {
    return [...this.#names].flatMap((name) => ownValue(values, name) ?? []);
  }
}
