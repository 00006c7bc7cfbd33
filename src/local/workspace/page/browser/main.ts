import type {
  BuildEvent,
  BuildOutcome,
  PageAction,
  PageOverview,
  WorkspaceView,
} from "../page-data";
import { BuildPanel } from "./build-panel.js";
import { fail, element, fill, found } from "../../../service/page/browser/element.js";
import { InputForm, type KeptInputs } from "./input-form.js";
import { follow, get, keepToken, post } from "../../../service/page/browser/server.js";
import { showWorkspace } from "./workspace-panel.js";

class Page {
  readonly #form = new InputForm((tags) => {
    this.#tags = tags;
    this.#showWorkspace();
  });
  readonly #build = new BuildPanel();
  readonly #choice = found("workspace-choice", HTMLSelectElement);
  #overview: PageOverview | undefined;
  #workspace: WorkspaceView | undefined;
  #tags: Readonly<Record<string, string>> = {};
  #isBuilding = false;
  /** The workspace of the last build that was requested here. */
  #requested: string | undefined;
  #results = 0;

  constructor() {
    this.#choice.addEventListener("change", () => {
      this.#choose(this.#choice.value).catch(fail);
    });
    for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-action]")) {
      const action = button.dataset["action"] as PageAction;
      button.addEventListener("click", () => void this.#press(action));
    }
    found("inputs", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      const first = document.querySelector<HTMLButtonElement>("#actions button:not([hidden])");
      first?.click();
    });
  }

  async open(): Promise<void> {
    await this.#load();
    const [first] = this.#overview?.workspaces ?? [];
    await this.#choose(first?.name ?? "");
    // After a lost connection, the server repeats the progress of a build.
    await follow((event) => this.#onEvent(event as BuildEvent), fail);
  }

  #onEvent(event: BuildEvent): void {
    this.#build.show(event);
    if (event.kind === "line") return;
    this.#isBuilding = event.kind === "started";
    this.#showActions();
    if (event.kind === "finished") this.#refresh(event).catch(fail);
  }

  /**
   * Shows the result of a build. After a failure, the form keeps the user's inputs, otherwise only those that are
   * newer than the build.
   */
  async #refresh({ outcome, workspace }: BuildOutcome): Promise<void> {
    const isShown = this.#workspace?.name === workspace || this.#requested === workspace;
    const panel = found("workspace", HTMLElement);
    const result = ++this.#results;
    panel.setAttribute("aria-busy", "true");
    try {
      await this.#load();
      const exists = this.#overview?.workspaces.some(({ name }) => name === workspace) === true;
      const kept = outcome === "done" ? "newer" : "all";
      if (isShown) await this.#choose(exists ? workspace : "", kept);
    } finally {
      if (result === this.#results) panel.removeAttribute("aria-busy");
    }
  }

  async #load(): Promise<void> {
    this.#overview = await get<PageOverview>("/api/overview");
    const { template, workspaces } = this.#overview;
    document.title = `${template.name} · Trivet`;
    found("template-name", HTMLElement).textContent = template.name;
    found("template-folder", HTMLElement).textContent = template.folder;
    const chosen = this.#choice.value;
    fill(
      this.#choice,
      element("option", { value: "" }, "New workspace"),
      workspaces.map(({ name, status, isPrebuild }) =>
        element("option", { value: name }, `${name} (${isPrebuild ? "prebuilt" : status})`),
      ),
    );
    this.#choice.value = workspaces.some(({ name }) => name === chosen) ? chosen : "";
  }

  async #choose(name: string, kept: KeptInputs = "none"): Promise<void> {
    this.#choice.value = name;
    this.#workspace =
      name === "" ? undefined : await post<WorkspaceView>("/api/workspace", { workspace: name });
    this.#showWorkspace();
    await this.#form.choose(this.#workspace, kept);
  }

  async #press(action: PageAction): Promise<void> {
    this.#build.follow();
    try {
      if (!(await this.#request(action))) this.#build.follow(false);
    } catch (failure) {
      this.#build.follow(false);
      fail(failure);
    }
  }

  /** Requests a build; false if an input is missing, or if the user cancels. */
  async #request(action: PageAction): Promise<boolean> {
    const isStart = action === "start" || action === "prebuild" || action === "claim";
    if (isStart && !(await this.#form.isComplete(action !== "prebuild"))) return false;
    if (action === "delete") {
      if (!(await confirmed(this.#workspace?.name ?? ""))) return false;
      this.#build.follow();
    }
    const inputs = this.#form.request();
    const request = isStart ? inputs : { ...inputs, parameters: {}, preset: undefined };
    this.#requested = inputs.workspace;
    const owner = action === "prebuild" ? "" : inputs.owner;
    await post("/api/build", { ...request, owner, action });
    fail(undefined);
    return true;
  }

  #showWorkspace(): void {
    const workspace = this.#workspace;
    found("workspace-title", HTMLElement).textContent = workspace?.name ?? "No workspace yet";
    const status = found("workspace-status", HTMLElement);
    status.hidden = workspace === undefined;
    status.textContent = workspace?.isPrebuild === true ? "prebuilt" : (workspace?.status ?? "");
    status.dataset["status"] = workspace?.status;
    showWorkspace(workspace, this.#tags, this.#overview?.prebuilds);
    this.#showActions();
  }

  #showActions(): void {
    const { status, isPrebuild } = this.#workspace ?? { status: "not built", isPrebuild: false };
    const isNew = this.#workspace === undefined;
    const isShown: Readonly<Record<PageAction, boolean>> = {
      import: isNew,
      start: !isPrebuild,
      prebuild: isNew,
      claim: isPrebuild,
      stop: !isNew && (status === "running" || status === "failed"),
      delete: !isNew,
    };
    const restartText = status === "running" ? "Rebuild" : "Start";
    const startText = isNew ? "Create workspace" : restartText;
    for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-action]")) {
      const action = button.dataset["action"] as PageAction;
      button.hidden = !isShown[action];
      button.disabled = this.#isBuilding;
      if (action === "start") button.textContent = startText;
    }
    this.#choice.disabled = this.#isBuilding;
  }
}

async function confirmed(name: string): Promise<boolean> {
  const dialog = found("confirm", HTMLDialogElement);
  found("confirm-name", HTMLElement).textContent = name;
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((resolve) => {
    dialog.addEventListener("close", resolve, { once: true });
  });
  return dialog.returnValue === "delete";
}

keepToken();
new Page().open().catch(fail);
