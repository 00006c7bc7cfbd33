import type { Preview, PreviewDiagnostic, PreviewedParameter } from "../../preview/preview";
import type { WorkspaceView } from "../page-data";
import { diagnosticList, type GivenRequirements, Requirements } from "./requirements.js";
import { arrange, fill, found } from "../../../service/page/browser/element.js";
import { Field, type Lock } from "./field.js";
import { PresetChoice } from "./preset-choice.js";
import { post, isServerFailure } from "../../../service/page/browser/server.js";

interface FormInputs extends GivenRequirements {
  readonly workspace: string;
  readonly owner: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly preset: string | undefined;
  readonly taskPrompt: string;
}

/** The inputs that the form keeps: all, only those after the last request for a build, or none. */
export type KeptInputs = "all" | "newer" | "none";

const previewDelayMs = 200;

/** The form for users of the template, for a new or an existing workspace. */
export class InputForm {
  readonly #nameBox = found("workspace-name", HTMLInputElement);
  readonly #ownerBox = found("workspace-owner", HTMLInputElement);
  readonly #promptBox = found("task-prompt", HTMLTextAreaElement);
  readonly #parameters = found("parameters", HTMLElement);
  readonly #requirements = new Requirements();
  readonly #presets = new PresetChoice(() => void this.#refresh());
  readonly #fields = new Map<string, Field>();
  readonly #onTags: (tags: Preview["tags"]) => void;
  #entered: Record<string, string> = {};
  /** The inputs when the last build was requested. */
  #requested: {
    readonly entered: Readonly<Record<string, string>>;
    readonly preset: string | undefined;
  } = { entered: {}, preset: undefined };
  #workspace: WorkspaceView | undefined;
  #preview: Preview | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pending: AbortController | undefined;

  constructor(onTags: (tags: Preview["tags"]) => void) {
    this.#onTags = onTags;
    found("requirements", HTMLElement).replaceWith(this.#requirements.element);
    found("preset", HTMLElement).replaceWith(this.#presets.element);
    this.#ownerBox.addEventListener("input", () => {
      this.#refreshSoon();
    });
  }

  async choose(workspace: WorkspaceView | undefined, kept: KeptInputs): Promise<void> {
    if (kept !== "all") this.#forget(kept === "newer");
    this.#workspace = workspace;
    found("new-workspace", HTMLElement).hidden = workspace?.isPrebuild === false;
    found("workspace-name-field", HTMLElement).hidden = workspace !== undefined;
    found("task-field", HTMLElement).hidden = workspace !== undefined;
    await this.#refresh();
  }

  #forget(keepsNewer: boolean): void {
    const { entered, preset } = this.#requested;
    const kept = Object.entries(this.#entered).filter(
      ([name, value]) => keepsNewer && value !== own(entered, name),
    );
    this.#entered = Object.fromEntries(kept);
    if (!keepsNewer || this.#presets.chosen?.name === preset) this.#presets.clear();
    for (const [name, field] of this.#fields) field.isTouched = Object.hasOwn(this.#entered, name);
  }

  /** Returns the inputs for a build that the user requests now. */
  request(): FormInputs {
    const inputs = this.#inputs;
    this.#requested = { entered: { ...this.#entered }, preset: inputs.preset };
    return inputs;
  }

  get #inputs(): FormInputs {
    const isNamed = this.#workspace === undefined || this.#workspace.isPrebuild;
    return {
      workspace: this.#workspace?.name ?? this.#nameBox.value,
      owner: isNamed ? this.#ownerBox.value : "",
      parameters: this.#sentValues(),
      preset: this.#presets.chosen?.name,
      taskPrompt: this.#workspace === undefined ? this.#promptBox.value : "",
      ...this.#requirements.given,
    };
  }

  /** Checks all values, and the owner's secrets and logins. Moves the focus to the first problem. */
  async isComplete(hasOwner: boolean): Promise<boolean> {
    for (const field of this.#fields.values()) field.isTouched = true;
    await this.#refresh();
    const refused = [...this.#fields.values()].find(({ hasProblem }) => hasProblem);
    const isEquipped = !hasOwner || this.#requirements.isComplete();
    refused?.focus();
    return refused === undefined && isEquipped;
  }

  /** Checks the rules immediately. A preview takes too long for each key, and waits for a pause. */
  #onChange(field: Field, value: string): void {
    const { name } = field.parameter;
    const others = Object.entries(this.#entered).filter(([other]) => other !== name);
    // An empty box leaves a masked value as it is.
    const isUnchanged = value === "" && this.#isKept(name);
    // Unlike an assignment, this also works for the name `__proto__`.
    this.#entered = Object.fromEntries(isUnchanged ? others : [...others, [name, value]]);
    void this.#check([field]);
    this.#refreshSoon();
  }

  #refreshSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#refresh(), previewDelayMs);
  }

  /** Requests a new preview, which replaces one that is still pending. */
  async #refresh(): Promise<void> {
    clearTimeout(this.#timer);
    this.#pending?.abort();
    const pending = new AbortController();
    this.#pending = pending;
    const request = {
      workspace: this.#workspace?.name,
      parameters: this.#sentValues(),
      owner: this.#inputs.owner,
    };
    this.#parameters.setAttribute("aria-busy", "true");
    try {
      const preview = await post<Preview>("/api/preview", request, pending.signal);
      this.#show(preview);
      await this.#check([...this.#fields.values()]);
    } catch (failure) {
      if (pending.signal.aborted) return;
      if (!isServerFailure(failure)) throw failure;
      const { message: summary, cure: detail } = failure;
      this.#showDiagnostics([{ severity: "error", summary, detail }]);
    }
    this.#parameters.removeAttribute("aria-busy");
  }

  #show(preview: Preview): void {
    this.#preview = preview;
    this.#presets.update(preview.presets, this.#workspace === undefined);
    this.#requirements.update(preview);
    this.#onTags(preview.tags);
    this.#showDiagnostics([
      ...preview.diagnostics,
      ...preview.presets.flatMap(({ diagnostics }) => diagnostics),
    ]);
    const fields = preview.parameters.map((parameter) => this.#field(parameter));
    for (const [name, field] of this.#fields)
      if (!fields.includes(field)) this.#fields.delete(name);
    arrange(
      this.#parameters,
      fields.map((field) => field.element),
    );
  }

  #field(previewed: PreviewedParameter): Field {
    const parameter = this.#isKept(previewed.name) ? kept(previewed) : previewed;
    const lock = this.#lock(parameter);
    let field = this.#fields.get(parameter.name);
    if (field === undefined) {
      field = new Field(parameter, lock, (changed, value) => {
        this.#onChange(changed, value);
      });
      this.#fields.set(parameter.name, field);
    } else {
      field.update(parameter, lock);
    }
    field.show(this.#valueOf(parameter));
    return field;
  }

  /** Checks whether the last build had a masked value, which the page does not have. */
  #isKept(name: string): boolean {
    return this.#workspace?.masked.includes(name) === true;
  }

  #lock({ name, mutable }: PreviewedParameter): Lock {
    const preset = this.#presets.chosen;
    if (this.#workspace !== undefined && !mutable) {
      return "Set when the workspace was created. It cannot be changed.";
    }
    return preset !== undefined && Object.hasOwn(preset.parameters, name)
      ? `Set by the preset ${preset.name}.`
      : undefined;
  }

  #valueOf({ name, value }: PreviewedParameter): string | undefined {
    return own(this.#sentValues(), name) ?? value;
  }

  /** Returns the values that the platform would receive. */
  #sentValues(): Record<string, string> {
    const ephemeral = new Set(
      this.#preview?.parameters.filter((one) => one.ephemeral).map(({ name }) => name),
    );
    const before = Object.entries(this.#workspace?.parameters ?? {});
    return {
      ...Object.fromEntries(before.filter(([name]) => !ephemeral.has(name))),
      ...this.#entered,
      ...this.#presets.chosen?.parameters,
    };
  }

  /** Requests the rules that values break, and shows them beside the platform's problems. */
  async #check(fields: readonly Field[]): Promise<void> {
    const checked = fields.map(({ parameter }) => ({
      parameter,
      value: this.#valueOf(parameter),
      previous: own(this.#workspace?.parameters ?? {}, parameter.name),
    }));
    const { problems } = await post<{ problems: readonly (string | null)[] }>("/api/check", {
      checks: checked.map(({ value, ...rest }) => ({ ...rest, value: value ?? null })),
    });
    fields.forEach((field, at) => {
      // The value may have changed while the server answered.
      if (this.#valueOf(field.parameter) !== checked[at]?.value) return;
      const problem = problems[at] ?? undefined;
      field.complain(problem === undefined ? field.platformProblems : [problem]);
    });
  }

  #showDiagnostics(diagnostics: readonly PreviewDiagnostic[]): void {
    fill(found("template-problems", HTMLElement), diagnosticList(diagnostics));
  }
}

const kept = (parameter: PreviewedParameter): PreviewedParameter => ({
  ...parameter,
  required: false,
  styling: { ...parameter.styling, placeholder: "Unchanged" },
});

/** Returns the value of a parameter, whose name can be that of an inherited property. */
const own = (values: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;
