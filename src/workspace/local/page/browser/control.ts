import type { PreviewedParameter } from "../../preview/preview";
import { checkbox, dropdown, multiSelect, radio, tagSelect } from "./choice-controls.js";
import { input, slider, textarea } from "./text-controls.js";

/** An element with which users change a value. */
export interface Control {
  readonly element: HTMLElement;
  /** Shows a value, or that there is no value. */
  show(value: string | undefined): unknown;
}

export interface ControlSettings {
  readonly parameter: PreviewedParameter;
  /** Attributes that connect the control with its label, help and problem. */
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

/** Creates the control for a parameter: a disabled text box if the platform cannot show it. */
export function control(settings: ControlSettings): Control {
  const known = controls[settings.parameter.formType];
  return known?.(settings) ?? input({ ...settings, isDisabled: true });
}
