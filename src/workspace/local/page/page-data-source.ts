import { basename, resolve } from "node:path";
import { ownValue } from "../../../json/plain-json";
import { HttpFailure } from "../../../local-service/http-failure";
import type { LocalPlatformSettings } from "../local-platform";
import { StateFolder } from "../state/state-folder";
import type { PageOverview, PresetPrebuilds, SecretReference, WorkspaceView } from "./page-data";
import { maskedValues, revealed, workspaceSummary, workspaceView } from "./workspace-view";

export class PageDataSource {
  readonly #settings: LocalPlatformSettings;
  readonly #state: StateFolder;

  constructor(settings: LocalPlatformSettings) {
    this.#settings = settings;
    this.#state = new StateFolder(resolve(settings.stateFolder));
  }

  async overview(): Promise<PageOverview> {
    const records = await this.#records();
    const { template: folder } = this.#settings;
    const workspaces = await Promise.all(
      records.map(async (record) =>
        workspaceSummary(record, await this.#state.state(record.name), this.#typePrefix),
      ),
    );
    const known = await this.#state.template();
    const waiting = records.filter(({ isPrebuild }) => isPrebuild);
    return {
      template: { name: basename(resolve(folder)), folder },
      workspaces,
      prebuilds: known?.presets.map(({ name, prebuilds, parameters }): PresetPrebuilds => ({
        preset: name,
        desired: prebuilds,
        ready: waiting
          .filter((record) =>
            Object.entries(parameters).every(
              ([key, value]) => ownValue(record.parameters, key) === value,
            ),
          )
          .map((record) => record.name),
      })),
    };
  }

  /** @throws HttpFailure (404) */
  async workspace(name: string): Promise<WorkspaceView> {
    const record = await this.#state.workspace(name);
    if (record === undefined) throw new HttpFailure(404, `There is no workspace "${name}".`);
    return workspaceView(record, await this.#state.state(name), this.#typePrefix);
  }

  /** @throws HttpFailure (404) */
  async secret({
    workspace,
    ...place
  }: SecretReference & { readonly workspace: string }): Promise<string> {
    const record = await this.#state.workspace(workspace);
    const state = await this.#state.state(workspace);
    const value =
      record === undefined ? undefined : revealed(record, state, place, this.#typePrefix);
    if (value === undefined) throw new HttpFailure(404, "The secret no longer exists.");
    return value;
  }

  /** Returns the values of masked parameters in the last build of a workspace, by name. */
  async masked(workspace: string | undefined): Promise<Readonly<Record<string, string>>> {
    const record = workspace === undefined ? undefined : await this.#state.workspace(workspace);
    return record === undefined ? {} : maskedValues(record);
  }

  async #records() {
    const names = await this.#state.workspaceNames();
    const records = await Promise.all(names.map((name) => this.#state.workspace(name)));
    return records.filter((record) => record !== undefined);
  }

  get #typePrefix(): string {
    return this.#settings.typePrefix ?? "workspace_";
  }
}
