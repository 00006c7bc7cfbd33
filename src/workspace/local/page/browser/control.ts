import type { PreviewedParameter } from "../../preview/preview";
import { checkbox, dropdown, multiSelect, radio, tagSelect } from "./choice-controls.js";
import { input, slider, textarea } from "./text-controls.js";

/** What users change a value with. */
export interface Control {
  readonly element: HTMLElement;
  /** Shows a value, or that there is none. */
  show(value: string | undefined): unknown;
}

export interface ControlSettings {
  readonly parameter: PreviewedParameter;
  /** Attributes that join the control with its label, help and problem. */
  readonly labels: Readonly<Record<"id" | "aria-labelledby" | "aria-describedby", string>>;
  readonly isDisabled: boolean;
  readonly onChange: (value: string) => void;
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
export function control(settings: ControlSettings): Control {
  const known = controls[settings.parameter.formType];
  return known?.(settings) ?? input({ ...settings, isDisabled: true });
}
