import { messageOf } from "../../../core/failure/failure";
import { ownValue } from "../../../core/json/plain-json";
import { hasCode } from "../../../core/process/system-error";
import { HttpFailure } from "../../service/answer";
import { type BuildReport, buildText, type ImportReport, importText } from "../build/report-text";
import { LocalPlatform, type LocalPlatformSettings } from "../local-platform";
import type { Preview } from "../preview/preview";
import type { BuildRequest } from "../state/build-request";
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
   * @param hidden what the progress must not show
   * @throws HttpFailure (409) while another build is running, (503) after {@link PageBuilds.close}
   */
  start(request: PageBuildRequest, hidden: HiddenValues): void {
    if (this.#isClosed) throw new HttpFailure(503, "The page's server is stopping.");
    if (this.#running !== undefined) {
      throw new HttpFailure(409, "Another build is already running.");
    }
    const stop = new AbortController();
    this.#events = [];
    this.#tell({ kind: "started", action: request.action, workspace: request.workspace });
    const ended = this.#build(request, stop.signal, hidden).then((outcome) => {
      this.#running = undefined;
      this.#tell({ kind: "finished", workspace: request.workspace, ...outcome });
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

  /** Passes on the events so far, and then each new one. Returns a function that stops this. */
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
      this.#tell({ kind: "line", text: hidden.redact(line).slice(0, maxLineLength) });
    };
    const platform = new LocalPlatform({ ...this.#settings, log, signal });
    const outcome = await run(platform, request).catch(failed);
    return {
      ...outcome,
      message: hidden.redact(outcome.message),
      warnings: outcome.warnings.map((warning) => hidden.redact(warning)),
    };
  }

  #tell(event: BuildEvent): void {
    if (event.kind === "line" && this.#events.length > maxLines) this.#events.splice(1, 1);
    this.#events.push(event);
    for (const listener of this.#listeners) listener(event);
  }
}

async function run(platform: LocalPlatform, request: PageBuildRequest): Promise<Outcome> {
  const { action, ...rest } = request;
  switch (action) {
    case "import":
      return importOutcome(await platform.importTemplate(rest));
    case "start":
    case "stop":
    case "delete":
      return buildOutcome(await platform.build({ ...rest, transition: action }));
    case "prebuild":
      return buildOutcome(await platform.build({ ...rest, transition: "start", prebuild: true }));
    case "claim":
      return buildOutcome(await platform.build({ ...rest, transition: "start", claim: true }));
  }
}

const buildOutcome = (report: BuildReport): Outcome => ({
  outcome: "done",
  cure: "",
  message: firstLine(buildText(report)),
  warnings: report.warnings,
  changes: report.changes,
});

const importOutcome = (report: ImportReport): Outcome => ({
  outcome: "done",
  cure: "",
  message: firstLine(importText(report)),
  warnings: report.warnings,
  changes: [],
});

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

/** Knows which parameters are masked, and keeps their values out of what the page gets. */
export class PageMasks {
  readonly #names = new Set<string>();

  /**
   * Returns the JSON of a preview without the values that were given for masked parameters: the page has those that the
   * user enters now, and does not get those of the last build.
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

  /** Returns what the progress of a build must not show: masked values, and the secrets of the owner. */
  ofBuild(
    { parameters = {}, secretEnv, secretFiles, externalAuth }: PageBuildRequest,
    kept: Values,
  ): HiddenValues {
    const secrets = [secretEnv, secretFiles, externalAuth].flatMap((each) =>
      Object.values(each ?? {}),
    );
    return new HiddenValues([...secrets, ...Object.values(kept), ...this.#of(parameters)]);
  }

  /** Returns the sentence of a rule without the masked value that breaks it. */
  problem(problem: string | null, name: unknown, value: unknown): string | null {
    const isMasked = typeof name === "string" && this.#names.has(name);
    if (problem === null || !isMasked || typeof value !== "string") return problem;
    return new HiddenValues([value]).redact(problem);
  }

  #of(values: Values): readonly string[] {
    return [...this.#names].flatMap((name) => ownValue(values, name) ?? []);
  }
}
