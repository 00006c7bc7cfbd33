import type { PreviewedPreset } from "../../preview/preview";
import { dropdown } from "./choice-controls.js";
import { element, fill } from "../../../service/page/browser/element.js";

export class PresetChoice {
  readonly element = element("div", { class: "field", "data-name": "preset" });
  readonly #onChange: () => void;
  #presets: readonly PreviewedPreset[] = [];
  #name: string | undefined;
  #drawn = "";

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.element.hidden = true;
  }

  get chosen(): PreviewedPreset | undefined {
    return this.#presets.find(({ name }) => name === this.#name);
  }

  clear(): void {
    this.#name = undefined;
    this.#drawn = "";
  }

  /** @param isNew true for a new workspace, for which the default preset is preselected */
  update(presets: readonly PreviewedPreset[], isNew: boolean): void {
    this.#presets = presets;
    const next = JSON.stringify(presets);
    if (next === this.#drawn) return;
    const chosen = presets.find(({ isDefault }) => isDefault);
    const isFirst = isNew && this.#drawn === "" && this.#name === undefined && chosen !== undefined;
    if (isFirst) this.#name = chosen.name;
    this.#drawn = next;
    this.element.hidden = presets.length === 0;
    const labels = { id: "preset-choice", "aria-describedby": "preset-help" };
    const none = { name: "None", value: "", description: "", icon: "" };
    const choice = dropdown({
      options: [
        none,
        ...presets.map(({ name, isDefault, description, icon }) => ({
          name: isDefault ? `${name} (default)` : name,
          value: name,
          description,
          icon,
        })),
      ],
      labels: { ...labels, "aria-labelledby": "preset-label" },
      isDisabled: false,
      onChange: (name) => {
        this.#name = name === "" ? undefined : name;
        this.#onChange();
      },
    });
    choice.show(this.#name ?? "");
    fill(
      this.element,
      element(
        "div",
        { class: "field-label" },
        element("label", { id: "preset-label", for: "preset-choice" }, "Preset"),
      ),
      element(
        "div",
        { class: "help", id: "preset-help" },
        element("p", {}, "Its values replace the values below."),
      ),
      choice.element,
    );
    if (isFirst) this.#onChange();
  }
}
