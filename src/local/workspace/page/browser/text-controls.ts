import { element } from "../../../service/page/browser/element.js";
import type { PreviewedParameter } from "../../preview/preview";

/**
 * Creates a control for a line of text or a number. Numbers are text, too, so that a typo is shown with the
 * rule that it breaks.
 */
export function input({ parameter, labels, onChange, ...settings }: ControlSettings): Control {
  const { styling, type } = parameter;
  const isMasked = styling.maskInput === true;
  const box = element("input", {
    ...labels,
    type: isMasked ? "password" : "text",
    autocomplete: "off",
    inputmode: type === "number" ? "numeric" : undefined,
    spellcheck: "false",
    placeholder: styling.placeholder,
    disabled: settings.isDisabled,
    input: () => onChange(box.value),
  });
  return {
    element: isMasked ? element("div", { class: "masked" }, box, revealButton(box)) : box,
    show: (value) => showText(box, value),
  };
}

export function textarea({ parameter, labels, onChange, isDisabled }: ControlSettings): Control {
  const { styling } = parameter;
  const box = element("textarea", {
    ...labels,
    rows: 4,
    spellcheck: "false",
    class: styling.maskInput === true ? "masked-text" : undefined,
    placeholder: styling.placeholder,
    disabled: isDisabled,
    input: () => onChange(box.value),
  });
  return { element: box, show: (value) => showText(box, value) };
}

/** Creates a slider for a number between bounds. Users can also type into the box beside it. */
export function slider({ parameter, labels, onChange, isDisabled }: ControlSettings): Control {
  const [{ min = 0, max = 100 } = {}] = parameter.validations;
  const label = parameter.displayName || parameter.name;
  const range = element("input", {
    ...labels,
    type: "range",
    min,
    max,
    step: 1,
    disabled: isDisabled,
    input: () => {
      box.value = range.value;
      onChange(range.value);
    },
  });
  const box = element("input", {
    "aria-label": `${label} as a number`,
    "aria-describedby": labels["aria-describedby"],
    type: "text",
    class: "slider-value",
    inputmode: "numeric",
    autocomplete: "off",
    disabled: isDisabled,
    input: () => {
      range.value = box.value;
      onChange(box.value);
    },
  });
  const ends = element("div", { class: "slider-ends", "aria-hidden": "true" });
  ends.append(element("span", {}, String(min)), element("span", {}, String(max)));
  return {
    element: element("div", { class: "slider" }, element("div", {}, range, ends), box),
    show(value) {
      showText(box, value);
      range.value = value ?? String(min);
    },
  };
}

/** Creates a button that shows the content of a masked box. */
export function revealButton(box: HTMLInputElement): HTMLElement {
  const button = element(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-pressed": "false",
      click: () => {
        const isShown = box.type === "text";
        box.type = isShown ? "password" : "text";
        button.setAttribute("aria-pressed", String(!isShown));
        button.textContent = isShown ? "Show" : "Hide";
      },
    },
    "Show",
  );
  return button;
}

/** Shows a text without moving the cursor if it is already there. */
function showText(box: HTMLInputElement | HTMLTextAreaElement, value = ""): void {
  if (box.value !== value) box.value = value;
}

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
