import type { PreviewedParameter } from "../../preview/preview";

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
