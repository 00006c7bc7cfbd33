import { basename, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ownValue } from "../../../core/json/plain-json";
import { HttpFailure } from "../../service/answer";
import type { LocalPlatformSettings } from "../local-platform";
import { type LastBuild, StateFolder, type WorkspaceRecord } from "../state/state-folder";
import { emptyView } from "../view/platform-view";
import type { SecretReference } from "../view/seen";
import type {
  PageOverview,
  PresetPrebuilds,
  WorkspaceStatus,
  WorkspaceSummary,
  WorkspaceView,
} from "./page-data";

export class PageDataSource {
  readonly #settings: LocalPlatformSettings;
  readonly #state: StateFolder;

  constructor(settings: LocalPlatformSettings) {
    this.#settings = settings;
    this.#state = new StateFolder(resolve(settings.stateFolder));
  }

  async overview(): Promise<PageOverview> {
    const names = await this.#state.workspaceNames();
    const kept = await Promise.all(names.map((name) => this.#kept(name)));
    const all = kept.filter((one) => one !== undefined);
    const { template: folder } = this.#settings;
    const known = await this.#state.template();
    const waiting = all.map(({ record }) => record).filter(({ isPrebuild }) => isPrebuild);
    return {
      template: { name: basename(resolve(folder)), folder },
      workspaces: all.map(workspaceSummary),
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
    const kept = await this.#kept(name);
    if (kept === undefined) throw new HttpFailure(404, `The workspace "${name}" does not exist.`);
    return workspaceView(kept);
  }

  /** @throws HttpFailure (404) */
  async secret({
    workspace,
    ...place
  }: SecretReference & { readonly workspace: string }): Promise<string> {
    const kept = await this.#kept(workspace);
    const value = kept === undefined ? undefined : secretAt(kept, place);
    if (value === undefined) throw new HttpFailure(404, "The secret no longer exists.");
    return value;
  }

  /** Returns the values of masked parameters in the last build of a workspace, by name. */
  async masked(workspace: string | undefined): Promise<Readonly<Record<string, string>>> {
    const record = workspace === undefined ? undefined : await this.#state.workspace(workspace);
    return record === undefined ? {} : maskedValues(record);
  }

  async #kept(name: string): Promise<KeptWorkspace | undefined> {
    const record = await this.#state.workspace(name);
    if (record === undefined) return undefined;
    const last = await this.#state.lastBuild(name);
    return { record, last, hasState: (await this.#state.state(name)) !== undefined };
  }
}

/** The content of the folder for state about a workspace. */
interface KeptWorkspace {
  readonly record: WorkspaceRecord;
  readonly last: LastBuild | undefined;
  /** True if a build has left resources, even if it failed. */
  readonly hasState: boolean;
}

function workspaceView(kept: KeptWorkspace): WorkspaceView {
  const { record, last } = kept;
  const { agents, droppedAgents, resources, dailyCost } = last?.view ?? emptyView;
  return {
    ...workspaceSummary(kept),
    parameters: Object.fromEntries(
      Object.entries(record.parameters).filter(([name]) => !record.masked.includes(name)),
    ),
    masked: Object.keys(maskedValues(record)),
    taskPrompt: record.task?.prompt,
    agents,
    droppedAgents,
    resources,
    dailyCost,
  };
}

/** The values of masked parameters in the last build, by name. */
const maskedValues = ({ parameters, masked }: WorkspaceRecord): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => masked.includes(name)));

function workspaceSummary(kept: KeptWorkspace): WorkspaceSummary {
  const { name, owner, isPrebuild } = kept.record;
  return { name, owner, isPrebuild, status: statusOf(kept) };
}

function statusOf({ last, hasState }: KeptWorkspace): WorkspaceStatus {
  if (last !== undefined) return last.transition === "start" ? "running" : "stopped";
  return hasState ? "failed" : "not built";
}

/** Returns the value of a secret that a view refers to; undefined if the view does not have it. */
function secretAt(
  { record, last }: KeptWorkspace,
  { address, path }: SecretReference,
): string | undefined {
  if (address === "") return ownValue(maskedValues(record), String(path[1]));
  return last?.secrets.find((one) => one.address === address && isDeepStrictEqual(one.path, path))
    ?.value;
}
