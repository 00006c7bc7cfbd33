import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { basename, join, resolve, sep } from "node:path";
import { defaultPrefix } from "../build/environment-variables";
import { withBuildLock } from "./state/build-lock";
import type { BuildReport, ImportReport } from "./build/build-report";
import type { BuildRequest } from "./state/build-request";
import { plainEnvironment, type PlatformFacts } from "./build/build-variables";
import { LocalPlatformError } from "./terraform/local-platform-error";
import { placeholderId } from "./state/placeholder-facts";
import { platformFindings, refuse } from "./view/platform-checks";
import { StateFolder } from "./state/state-folder";
import { importedTemplate, planImport, templateVersion } from "./build/template-import";
import { Terraform, type CommandResult } from "./terraform/terraform";
import { makeWorkingCopy } from "./terraform/working-copy";
import { buildWorkspace } from "./build/workspace-build";

export interface LocalPlatformSettings {
  /** The template: a folder with a synthesized stack, or with any Terraform configuration. */
  readonly template: string;
  /** What is kept between builds. Made when it does not exist; it will hold secrets. */
  readonly stateFolder: string;
  /** A name on PATH, or a path; tofu works as well. @default "terraform" */
  readonly terraform?: string | undefined;
  /** The word that begins the names of variables. @default "TRIVET" */
  readonly environmentPrefix?: string | undefined;
  /** What the names of the platform's own types begin with. @default "workspace_" */
  readonly typePrefix?: string | undefined;
  /** Where the platform says it is. @default "http://localhost:3000" */
  readonly accessUrl?: string | undefined;
  /** The platform's own environment, which Terraform inherits. @default process.env */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Gets what Terraform says while it works, line by line. @default silence */
  readonly log?: ((line: string) => void) | undefined;
  /** Log all of it: what `terraform init` says, and each step of an import. @default false */
  readonly verbose?: boolean | undefined;
  /** Interrupts what is under way: Terraform is ended in order, and its state kept. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A platform that builds workspaces on this machine, by the steps and with the variables of the real
 * one: a fresh copy of the template for each build, the state handed from build to build, parameters
 * for the plan alone.
 */
export class LocalPlatform {
  readonly #template: string;
  readonly #state: StateFolder;
  readonly #settings: LocalPlatformSettings;

  /** @throws LocalPlatformError when the state would be kept inside the template */
  constructor(settings: LocalPlatformSettings) {
    this.#settings = settings;
    this.#template = resolve(settings.template);
    const stateFolder = resolve(settings.stateFolder);
    if (`${stateFolder}${sep}`.startsWith(`${this.#template}${sep}`)) {
      throw new LocalPlatformError(
        "FOLDER",
        `The folder for state ${stateFolder} lies inside the template's folder.`,
        "Choose another one: a template is copied as a whole.",
      );
    }
    this.#state = new StateFolder(stateFolder);
  }

  /**
   * Plans the template twice, for a start and a stop, with no workspace, owner or inputs.
   *
   * @throws LocalPlatformError
   */
  async importTemplate({
    variables = {},
  }: Pick<BuildRequest, "variables"> = {}): Promise<ImportReport> {
    return await withBuildLock(this.#state.path, async (note) => {
      await this.#state.seed();
      const folder = join(this.#state.path, "import");
      const copy = await makeWorkingCopy(this.#template, folder, this.#typePrefix);
      const terraform = this.#terraform(folder, note);
      const context = { platform: this.#facts, typePrefix: this.#typePrefix, variables };
      const plan = (transition: "start" | "stop", tells: CommandResult) =>
        planImport(transition, terraform, context, tells);
      try {
        await terraform.init(plainEnvironment(this.#facts));
        const started = await plan("start", "warnings");
        const { resources, graph, view } = started;
        const found = platformFindings(view, resources, graph, this.#typePrefix);
        refuse(found.refusals);
        const { resources: stopped } = await plan("stop", "nothing");
        const staying = new Set(stopped.map(({ address }) => address));
        await this.#state.saveTemplate(importedTemplate(templateVersion(copy, context), started));
        return {
          ...view,
          whileStarted: resources
            .filter(({ mode, address }) => mode === "managed" && !staying.has(address))
            .map(({ address }) => address),
          warnings: [...copy.warnings, ...found.warnings],
        };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  /**
   * Builds a workspace: plan, the platform's checks, apply. The state is kept whatever happens.
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
        log: this.#log,
      });
    });
  }

  get #typePrefix(): string {
    return this.#settings.typePrefix ?? "workspace_";
  }

  get #log(): (line: string) => void {
    return this.#settings.log ?? (() => undefined);
  }

  get #facts(): PlatformFacts {
    const { env, environmentPrefix, accessUrl } = this.#settings;
    return {
      env: env ?? process.env,
      prefix: environmentPrefix ?? defaultPrefix,
      accessUrl: accessUrl ?? "http://localhost:3000",
    };
  }

  #terraform(folder: string, started: (pid: number) => void): Terraform {
    const { terraform: command = "terraform", signal, verbose = false } = this.#settings;
    // A path means a file seen from here, not from the working copy.
    const binary = /[/\\]/.test(command) ? resolve(command) : command;
    return new Terraform({ binary, folder, log: this.#log, verbose, signal, started });
  }
}
