import type { PreviewedOption } from "../../preview/preview";
import type { Control, ControlSettings } from "./text-controls.js";
import { type Child, element, fill, newId } from "../../../service/page/browser/element.js";
import { icon } from "./content.js";
import { inlineMarkdown } from "./markdown.js";

/** Creates a control for a yes or no, as a checkbox or as a switch. */
export function checkbox({ parameter, labels, onChange, isDisabled }: ControlSettings): Control {
  const box = element("input", {
    ...labels,
    type: "checkbox",
    role: parameter.formType === "switch" ? "switch" : undefined,
    class: parameter.formType === "switch" ? "switch" : undefined,
    disabled: isDisabled,
    change: () => onChange(String(box.checked)),
  });
  const text = parameter.styling.label ?? "";
  return {
    element: element("label", { class: "choice" }, box, text === "" ? "Enabled" : text),
    show: (value) => (box.checked = value === "true"),
  };
}

/** Creates a control for one of several options, all of which are visible. */
export function radio({ parameter, labels, onChange, isDisabled }: ControlSettings): Control {
  const name = newId();
  const choices = knownOptions(parameter.options).map((option) =>
    choice(option, {
      type: "radio",
      name,
      value: option.value,
      disabled: isDisabled,
      change: () => onChange(option.value),
    }),
  );
  return {
    element: group("radiogroup", labels, choices),
    show(value) {
      for (const { button } of choices) button.checked = button.value === value;
    },
  };
}

/** Creates a control for any number of options. The value is a list in JSON. */
export function multiSelect({ parameter, labels, onChange, isDisabled }: ControlSettings): Control {
  const change = (): void => {
    const chosen = choices.filter(({ button }) => button.checked);
    onChange(JSON.stringify(chosen.map(({ button }) => button.value)));
  };
  const choices = knownOptions(parameter.options).map((option) =>
    choice(option, { type: "checkbox", value: option.value, disabled: isDisabled, change }),
  );
  return {
    element: group("group", labels, choices),
    show(value) {
      const chosen = listOf(value);
      for (const { button } of choices) button.checked = chosen.includes(button.value);
    },
  };
}

/**
 * Creates a drop-down list for one of several options. Browsers that cannot show icons in it show only the
 * names.
 */
export function dropdown({
  options,
  labels,
  onChange,
  isDisabled,
}: Omit<ControlSettings, "parameter"> & {
  readonly options: readonly PreviewedOption[];
}): Control {
  const none = element("option", { value: "", disabled: true, hidden: true }, "Select an option");
  const select = element(
    "select",
    { ...labels, disabled: isDisabled, change: () => onChange(select.value) },
    element("button", {}, document.createElement("selectedcontent")),
    none,
    knownOptions(options).map((option) =>
      element("option", { value: option.value }, optionContent(option, false)),
    ),
  );
  return {
    element: select,
    show(value) {
      const chosen = [...select.options].find((one) => one !== none && one.value === value);
      (chosen ?? none).selected = true;
    },
  };
}

/** Creates a control for a list of arbitrary strings. The value is a list in JSON. */
export function tagSelect({ parameter, labels, onChange, isDisabled }: ControlSettings): Control {
  let tags: readonly string[] = [];
  const list = element("ul", { class: "tags" });
  const box = element("input", {
    ...labels,
    type: "text",
    autocomplete: "off",
    placeholder: parameter.styling.placeholder ?? "Type a value and press Enter",
    disabled: isDisabled,
    keydown: (event) => {
      if (!(event instanceof KeyboardEvent) || event.isComposing) return;
      const isEnd = event.key === "Enter" || event.key === ",";
      if (isEnd) event.preventDefault();
      if (isEnd && box.value.trim() !== "") add();
      if (event.key === "Backspace" && box.value === "" && tags.length > 0)
        change(tags.slice(0, -1));
    },
    blur: () => box.value.trim() !== "" && add(),
  });
  const add = (): void => {
    change([...tags, box.value.trim()]);
    box.value = "";
  };
  const change = (next: readonly string[]): void => {
    draw(next);
    onChange(JSON.stringify(next));
  };
  const draw = (next: readonly string[]): void => {
    tags = next;
    fill(
      list,
      tags.map((tag, at) => {
        const remove = element(
          "button",
          {
            type: "button",
            "aria-label": `Remove ${tag}`,
            disabled: isDisabled,
            click: () => {
              change(tags.toSpliced(at, 1));
              box.focus();
            },
          },
          "×",
        );
        return element("li", {}, tag, remove);
      }),
    );
  };
  return {
    element: element("div", { class: "tag-select" }, list, box),
    show: (value) => draw(listOf(value)),
  };
}

/** Creates a box with its option. */
function choice(option: PreviewedOption, attributes: Parameters<typeof element>[1]) {
  const button = element("input", attributes);
  const content = optionContent(option, true);
  return { button, row: element("label", { class: "choice" }, button, content) };
}

function group(
  role: string,
  labels: ControlSettings["labels"],
  choices: readonly { readonly row: HTMLElement }[],
): HTMLElement {
  const { id, "aria-labelledby": label, "aria-describedby": description } = labels;
  return element(
    "div",
    { role, class: "choices", id, "aria-labelledby": label, "aria-describedby": description },
    choices.map(({ row }) => row),
  );
}

/** Returns the options whose value is known. Others cannot be chosen. */
function knownOptions(options: readonly PreviewedOption[]) {
  return options.flatMap((option) =>
    option.value === undefined ? [] : [{ ...option, value: option.value }],
  );
}

/** @param hasLinks false in a list, whose options contain none */
function optionContent(
  { name, description, icon: url }: Pick<PreviewedOption, "name" | "description" | "icon">,
  hasLinks: boolean,
): readonly Child[] {
  const help =
    description === ""
      ? undefined
      : element("span", { class: "help" }, inlineMarkdown(description, hasLinks));
  return [icon(url), element("span", { class: "option" }, element("span", {}, name), help)];
}

function listOf(value: string | undefined): readonly string[] {
  try {
    const list: unknown = JSON.parse(value ?? "[]");
    return Array.isArray(list) ? list.map(String) : [];
  } catch {
    return [];
  }
}
