import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { basename, join, resolve, sep } from "node:path";
import { defaultPrefix } from "../../core/workspace/build/environment-variables";
import { withBuildLock } from "./state/build-lock";
import type { BuildReport, ImportReport } from "./build/report-text";
import type { BuildRequest } from "./state/build-request";
import { plainEnvironment, type PlatformFacts } from "./build/build-variables";
import { localPlatformError } from "./terraform/local-platform-error";
import type { Preview, PreviewRequest } from "./preview/preview";
import { ModuleFolders } from "./preview/module-folders";
import { previewOwner, type PreviewContext, previewTemplate } from "./preview/template-preview";
import { placeholderId } from "./state/placeholder-facts";
import { refuse } from "./view/platform-checks";
import { platformVersion } from "../../core/workspace/product/platform-versions";
import { StateFolder } from "./state/state-folder";
import {
  acceptedPreview,
  importedTemplate,
  planImport,
  templateVersion,
} from "./build/template-import";
import {
  otherBackend,
  otherBackendText,
  configurationNames,
  declaredVersion,
  makeWorkingCopy,
} from "./terraform/working-copy";
import { Terraform, type LoggedOutput } from "./terraform/terraform";
import { buildWorkspace } from "./build/workspace-build";
import { previewWarnings, withEvaluated } from "./preview/preview-text";

export interface LocalPlatformSettings {
  /** The template: a folder that contains a synthesized stack or any Terraform configuration. */
  readonly template: string;
  /** Folder for the state between builds. Created if missing. It will contain secrets. */
  readonly stateFolder: string;
  /** Name on PATH or path of the binary; `tofu` also works. @default "terraform" */
  readonly terraform?: string | undefined;
  /** Prefix of the environment variables' names. @default "TRIVET" */
  readonly environmentPrefix?: string | undefined;
  /** Prefix of the platform's resource types. @default "workspace_" */
  readonly typePrefix?: string | undefined;
  /**
   * The version of coder to behave like, such as `2.30`.
   *
   * @default the one that the template was synthesized for, otherwise the newest version whose rules are known
   */
  readonly platformVersion?: string | undefined;
  /** The platform's URL, as passed to templates. @default "http://localhost:3000" */
  readonly accessUrl?: string | undefined;
  /** The platform's own environment, which Terraform inherits. @default process.env */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Receives Terraform's output line by line. @default the output is discarded */
  readonly log?: ((line: string) => void) | undefined;
  /** Also logs the output of `terraform init` and of each step of an import. @default false */
  readonly verbose?: boolean | undefined;
  /** Interrupts the running build: Terraform stops gracefully and its state is saved. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A platform that builds workspaces on this machine, with the steps and variables of a real one: each build has a fresh
 * copy of the template and the state of the previous build, and only its plan has the parameters.
 */
export class LocalPlatform {
  readonly #template: string;
  readonly #state: StateFolder;
  readonly #settings: LocalPlatformSettings;
  readonly #modules = new ModuleFolders();

  /** @throws LocalPlatformError if the folder for state is inside the template */
  constructor(settings: LocalPlatformSettings) {
    const { platformVersion: version } = settings;
    if (version !== undefined && !platformVersion.test(version)) {
      throw localPlatformError("REQUEST", `"${version}" is not a version of the platform.`, {
        advice: "Pass a version such as 2.30, or leave it out for the newest one.",
      });
    }
    this.#settings = settings;
    this.#template = resolve(settings.template);
    const stateFolder = resolve(settings.stateFolder);
    if (`${stateFolder}${sep}`.startsWith(`${this.#template}${sep}`)) {
      throw localPlatformError(
        "FOLDER",
        `The folder for state ${stateFolder} is inside the template's folder.`,
        { advice: "Choose another folder: the whole template folder is copied." },
      );
    }
    this.#state = new StateFolder(stateFolder);
  }

  /**
   * Plans the template twice, for a start and a stop, without a workspace, owner or inputs.
   *
   * @throws LocalPlatformError
   */
  async importTemplate({
    variables = {},
  }: Pick<BuildRequest, "variables"> = {}): Promise<ImportReport> {
    return await withBuildLock(this.#state.path, async (note) => {
      await this.#state.seed();
      const folder = join(this.#state.path, "import");
      const preview = await acceptedPreview(this.#template, () =>
        this.preview({ variables, triesPresets: true }),
      );
      const copy = await makeWorkingCopy(this.#template, folder, this.#typePrefix);
      const terraform = this.#terraform(folder, note);
      const context = { platform: this.#facts, typePrefix: this.#typePrefix, variables };
      const plan = (transition: "start" | "stop", output: LoggedOutput) =>
        planImport(transition, terraform, context, output);
      try {
        await terraform.init(plainEnvironment(this.#facts)).catch((failure: unknown) => {
          throw withEvaluated(failure, preview);
        });
        const backend = await otherBackend(folder);
        const started = await plan("start", "warnings");
        refuse(started.refusals);
        const stopped = await plan("stop", "none");
        refuse(
          stopped.refusals,
          "The platform also plans a stop when it imports a template, and refuses this plan.",
        );
        const staying = new Set(stopped.managed);
        await this.#state.saveTemplate(importedTemplate(templateVersion(copy, context), started));
        return {
          ...started.view,
          whileStarted: started.managed.filter((address) => !staying.has(address)),
          tags: preview.tags,
          warnings: [
            ...copy.warnings,
            ...previewWarnings(preview),
            ...(backend === undefined ? [] : [otherBackendText(backend)]),
            ...started.warnings,
          ],
        };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  /**
   * Builds a workspace: plan, the platform's checks, apply. The state is saved even if the build fails.
   *
   * @throws LocalPlatformError
   */
  async build(request: BuildRequest): Promise<BuildReport> {
    return await withBuildLock(this.#state.path, async (note) => {
      const seed = await this.#state.seed();
      return await buildWorkspace(request, {
        seed,
        buildId: randomUUID(),
        template: {
          folder: this.#template,
          id: placeholderId(seed, "template", basename(this.#template)),
          name: basename(this.#template),
          version: "local",
        },
        platform: this.#facts,
        typePrefix: this.#typePrefix,
        state: this.#state,
        terraformIn: (folder) => this.#terraform(folder, note),
        preview: (inputs) => this.#preview(inputs, this.#settings.signal),
        log: this.#log,
      });
    });
  }

  /**
   * Evaluates the form in which users enter values, the presets and the tags, as the platform does before it runs
   * Terraform. It needs no provider of the template and changes nothing: a build can run at the same time.
   *
   * @throws LocalPlatformError if the folder has no template, or if Terraform cannot be run or was interrupted
   */
  async preview({
    parameters = {},
    variables = {},
    owner,
    triesPresets = false,
    signal,
  }: PreviewRequest = {}): Promise<Preview> {
    const ends = [signal, this.#settings.signal].filter((each) => each !== undefined);
    const inputs = { parameters, variables, owner: previewOwner(owner), triesPresets };
    await configurationNames(this.#template);
    return await this.#preview(inputs, AbortSignal.any(ends));
  }

  async #preview(
    inputs: Pick<PreviewContext, "parameters" | "variables" | "owner" | "triesPresets">,
    signal: AbortSignal | undefined,
  ): Promise<Preview> {
    return await previewTemplate({
      ...inputs,
      template: this.#template,
      typePrefix: this.#typePrefix,
      env: plainEnvironment(this.#facts),
      platformVersion: this.#facts.version,
      modules: this.#modules,
      terraformIn: (folder) => this.#terraform(folder, () => undefined, signal),
    });
  }

  get #typePrefix(): string {
    return this.#settings.typePrefix ?? "workspace_";
  }

  get #log(): (line: string) => void {
    return this.#settings.log ?? (() => undefined);
  }

  get #facts(): PlatformFacts {
    const { env, environmentPrefix, accessUrl, platformVersion } = this.#settings;
    return {
      version: platformVersion ?? declaredVersion(this.#template),
      env: env ?? process.env,
      prefix: environmentPrefix ?? defaultPrefix,
      accessUrl: accessUrl ?? "http://localhost:3000",
    };
  }

  #terraform(
    folder: string,
    started: (pid: number) => void,
    signal = this.#settings.signal,
  ): Terraform {
    const { terraform: command = "terraform", verbose = false } = this.#settings;
    // A path is relative to the current folder, not to the working copy.
    const binary = /[/\\]/.test(command) ? resolve(command) : command;
    return new Terraform({ binary, folder, log: this.#log, verbose, signal, started });
  }
}
