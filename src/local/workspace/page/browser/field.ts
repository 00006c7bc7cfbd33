import type { PreviewedParameter } from "../../preview/preview";
import { checkbox, dropdown, multiSelect, radio, tagSelect } from "./choice-controls.js";
import { type Control, type ControlSettings, input, slider, textarea } from "./text-controls.js";
import { element, fill, newId, markedBadge } from "../../../service/page/browser/element.js";
import { icon } from "./content.js";
import { markdown } from "./markdown.js";

/** The reason for which a value cannot be changed, or undefined. */
export type Lock = string | undefined;

/** A parameter in the form: label, help, control and problem. */
export class Field {
  readonly element: HTMLElement;
  /** True once the user has changed the value. */
  isTouched = false;
  parameter: PreviewedParameter;
  readonly #id = newId();
  readonly #problem = element("p", {
    class: "problem",
    id: `${this.#id}-problem`,
    "aria-live": "polite",
  });
  readonly #onChange: (field: Field, value: string) => void;
  #control: Control;
  #drawn = "";

  constructor(
    parameter: PreviewedParameter,
    lock: Lock,
    onChange: (field: Field, value: string) => void,
  ) {
    this.parameter = parameter;
    this.#onChange = onChange;
    this.element = element("div", { class: "field", "data-name": parameter.name });
    this.#control = this.#draw(lock);
    this.#drawn = drawnPart(parameter, lock);
  }

  /** Shows the parameter of a new preview. Draws the control again only if it differs. */
  update(parameter: PreviewedParameter, lock: Lock): void {
    this.parameter = parameter;
    const next = drawnPart(parameter, lock);
    const hadFocus = this.element.contains(document.activeElement);
    if (next !== this.#drawn) this.#control = this.#draw(lock);
    this.#drawn = next;
    if (hadFocus && !this.element.contains(document.activeElement)) this.focus();
  }

  show(value: string | undefined): void {
    this.#control.show(value);
  }

  complain(problems: readonly string[]): void {
    fill(
      this.#problem,
      problems.map((problem) => element("span", {}, problem)),
    );
    this.element.classList.toggle("refused", problems.length > 0);
    for (const box of this.element.querySelectorAll("input, select, textarea, [role=radiogroup]")) {
      box.setAttribute("aria-invalid", String(problems.length > 0));
    }
  }

  /** The platform's problems with the value. One that is not entered yet does not count as missing. */
  get platformProblems(): readonly string[] {
    const { value = "", diagnostics } = this.parameter;
    if (value === "" && !this.isTouched) return [];
    return diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ summary, detail }) => (detail === "" ? summary : `${summary}: ${detail}`));
  }

  get hasProblem(): boolean {
    return this.#problem.childElementCount > 0;
  }

  focus(): void {
    this.element.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }

  #draw(lock: Lock): Control {
    const { name, displayName, description, styling } = this.parameter;
    const id = this.#id;
    const drawn = control({
      parameter: this.parameter,
      labels: {
        id,
        "aria-labelledby": `${id}-label`,
        "aria-describedby": `${id}-help ${id}-problem`,
      },
      isDisabled: lock !== undefined || styling.disabled === true,
      onChange: (value) => {
        this.isTouched = true;
        this.#onChange(this, value);
      },
    });
    const label = element("label", { id: `${id}-label`, for: id }, displayName || name);
    fill(
      this.element,
      element("div", { class: "field-label" }, icon(this.parameter.icon), label, this.#badges()),
      element(
        "div",
        { class: "help", id: `${id}-help` },
        markdown(description),
        lock === undefined ? undefined : element("p", { class: "lock" }, lock),
      ),
      drawn.element,
      this.#problem,
    );
    return drawn;
  }

  #badges(): readonly HTMLElement[] {
    const { required, mutable, ephemeral } = this.parameter;
    return [
      ...(required
        ? [markedBadge("required", "Users must enter a value: there is no default.")]
        : []),
      ...(ephemeral ? [markedBadge("ephemeral", "Applies to a single build.")] : []),
      ...(mutable
        ? []
        : [markedBadge("immutable", "Cannot be changed after the workspace is created.")]),
    ];
  }
}

function drawnPart(parameter: PreviewedParameter, lock: Lock): string {
  return JSON.stringify([{ ...parameter, value: undefined, diagnostics: undefined }, lock]);
}

const controls: Readonly<Record<string, (settings: ControlSettings) => Control>> = {
  input,
  textarea,
  slider,
  checkbox,
  switch: checkbox,
  radio,
  dropdown: (settings) => dropdown({ ...settings, options: settings.parameter.options }),
  "multi-select": multiSelect,
  "tag-select": tagSelect,
};

/** The control for a parameter. One that the platform cannot show is a disabled text box. */
function control(settings: ControlSettings): Control {
  const known = controls[settings.parameter.formType];
  return known?.(settings) ?? input({ ...settings, isDisabled: true });
}
