import {
  element,
  fill,
  markedBadge,
  newId,
  notice,
  notices,
} from "../../../service/page/browser/element.js";
import type { Preview, PreviewDiagnostic } from "../../preview/preview";
import { markdown } from "./markdown.js";
import { revealButton } from "./text-controls.js";

/** The secrets and external logins of the owner. Values stay in the page until a build. */
export interface GivenRequirements {
  readonly secretEnv: Readonly<Record<string, string>>;
  readonly secretFiles: Readonly<Record<string, string>>;
  readonly externalAuth: Readonly<Record<string, string>>;
}

type Kind = keyof GivenRequirements;

interface Row {
  readonly kind: Kind;
  readonly name: string;
  readonly box: HTMLInputElement;
  readonly problem: HTMLElement;
  readonly isOptional: boolean;
}

export class Requirements {
  readonly element = element("section", { class: "requirements", "aria-label": "Owner's secrets" });
  readonly #boxes = new Map<string, Row>();
  #drawn = "";

  update({ secrets, externalAuth }: Pick<Preview, "secrets" | "externalAuth">): void {
    const next = JSON.stringify([secrets, externalAuth]);
    if (next === this.#drawn) return;
    this.#drawn = next;
    const rows = [
      ...secrets.map(({ env, file, helpMessage }) =>
        env === undefined
          ? this.#row("secretFiles", file ?? "", `Secret in the file ${file ?? ""}`, helpMessage)
          : this.#row("secretEnv", env, `Secret in the variable ${env}`, helpMessage),
      ),
      ...externalAuth.map(({ id, optional }) =>
        this.#row(
          "externalAuth",
          id,
          `Login to ${id}`,
          "On the platform, the owner logs in. Here, enter an access token, real or invented.",
          optional,
        ),
      ),
    ];
    this.element.hidden = rows.length === 0;
    fill(
      this.element,
      element("h3", {}, "Owner's secrets and logins"),
      element("p", { class: "help" }, "They stay in this page, and are sent only to builds."),
      rows,
    );
  }

  /** The values that are not empty. */
  get given(): GivenRequirements {
    const of = (kind: Kind) =>
      Object.fromEntries(
        [...this.#boxes.values()]
          .filter((one) => one.kind === kind && one.box.value !== "" && one.box.isConnected)
          .map(({ name, box }) => [name, box.value]),
      );
    return {
      secretEnv: of("secretEnv"),
      secretFiles: of("secretFiles"),
      externalAuth: of("externalAuth"),
    };
  }

  /** Checks for values that a start needs. Marks the missing ones, and moves the focus to the first. */
  isComplete(): boolean {
    const rows = [...this.#boxes.values()].filter(({ box }) => box.isConnected);
    const missing = rows.filter(({ isOptional, box }) => !isOptional && box.value === "");
    for (const row of rows) {
      row.problem.textContent = missing.includes(row) ? "A start needs a value." : "";
      row.box.setAttribute("aria-invalid", String(missing.includes(row)));
    }
    missing[0]?.box.focus();
    return missing.length === 0;
  }

  #row(kind: Kind, name: string, label: string, help: string, isOptional = false): HTMLElement {
    const id = newId();
    const key = `${kind} ${name}`;
    const box =
      this.#boxes.get(key)?.box ??
      element("input", { type: "password", autocomplete: "off", spellcheck: "false" });
    box.id = id;
    box.setAttribute("aria-describedby", `${id}-help ${id}-problem`);
    const problem = element("p", { class: "problem", id: `${id}-problem`, "aria-live": "polite" });
    this.#boxes.set(key, { kind, name, box, problem, isOptional });
    return element(
      "div",
      { class: "field", "data-name": key },
      element(
        "div",
        { class: "field-label" },
        element("label", { for: id }, label),
        isOptional
          ? markedBadge("optional", "Builds work without it.")
          : markedBadge("required", "Starts fail without it."),
      ),
      element("div", { class: "help", id: `${id}-help` }, markdown(help)),
      element("div", { class: "masked" }, box, revealButton(box)),
      problem,
    );
  }
}

/** Creates a list of problems, errors first; undefined if there are no problems. */
export function diagnosticList(diagnostics: readonly PreviewDiagnostic[]): HTMLElement | undefined {
  if (diagnostics.length === 0) return undefined;
  const sorted = [
    ...diagnostics.filter(({ severity }) => severity === "error"),
    ...diagnostics.filter(({ severity }) => severity !== "error"),
  ];
  return notices(
    sorted.map(({ severity, summary, detail, place }) => {
      const line = place?.line === undefined ? "" : `, line ${place.line}: ${place.code.trim()}`;
      const where = place === undefined ? "" : ` (${place.file}${line})`;
      return notice(severity, summary, detail + where);
    }),
  );
}
