import type { BuildEvent, BuildOutcome, PageAction } from "../page-data";
import { notice, notices } from "../../../service/page/browser/notices.js";
import { element, fill, found } from "../../../service/page/browser/element.js";
import { BuildStrip } from "./build-strip.js";
import { post } from "../../../service/page/browser/server.js";

const verbs: Readonly<Record<PageAction, string>> = {
  import: "Importing the template",
  start: "Starting",
  prebuild: "Prebuilding",
  stop: "Stopping",
  claim: "Claiming",
  delete: "Deleting",
};

const maxLines = 5000;

/** The progress of the running build, or the result of the last one. */
export class BuildPanel {
  readonly #panel = found("build", HTMLElement);
  readonly #status = found("build-status", HTMLElement);
  readonly #lines = found("build-lines", HTMLElement);
  readonly #result = found("build-result", HTMLElement);
  readonly #interrupt = found("interrupt", HTMLButtonElement);
  readonly #details = found("build-log", HTMLDetailsElement);
  readonly #strip = new BuildStrip(this.#panel);
  /** True from the press of a button until its build starts, unless the user does something else meanwhile. */
  #isAwaited = false;

  constructor() {
    for (const event of ["keydown", "pointerdown"]) {
      addEventListener(event, () => (this.#isAwaited = false), { capture: true, passive: true });
    }
    this.#interrupt.addEventListener("click", () => {
      this.#interrupt.disabled = true;
      void post("/api/interrupt", {});
    });
  }

  /** Moves the page to the progress of the next build once it starts. Called when the user presses a button. */
  follow(isAwaited = true): void {
    this.#isAwaited = isAwaited;
  }

  show(event: BuildEvent): void {
    switch (event.kind) {
      case "started":
        this.#start(event.action, event.workspace);
        break;
      case "line":
        this.#add(event.text);
        break;
      case "finished":
        this.#finish(event);
        break;
    }
  }

  #start(action: PageAction, workspace: string): void {
    this.#panel.hidden = false;
    this.#panel.dataset["state"] = "running";
    this.#interrupt.hidden = false;
    this.#interrupt.disabled = false;
    this.#details.open = true;
    this.#lines.replaceChildren();
    this.#result.replaceChildren();
    this.#say(action === "import" ? verbs.import : `${verbs[action]} ${workspace}`);
    if (this.#isAwaited) this.#strip.reveal();
    this.#isAwaited = false;
  }

  #say(status: string): void {
    this.#status.textContent = status;
    this.#strip.update(status, this.#panel.dataset["state"] === "running");
  }

  #add(text: string): void {
    const isAtEnd =
      this.#lines.scrollTop + this.#lines.clientHeight >= this.#lines.scrollHeight - 8;
    this.#lines.append(element("span", {}, `${text}\n`));
    if (this.#lines.childElementCount > maxLines) this.#lines.firstElementChild?.remove();
    if (isAtEnd) this.#lines.scrollTop = this.#lines.scrollHeight;
  }

  #finish({ outcome, message, cure, warnings }: BuildOutcome): void {
    this.#panel.dataset["state"] = outcome;
    this.#interrupt.hidden = true;
    this.#details.open = outcome === "failed";
    this.#say(outcome === "done" ? message : outcomeTitles[outcome]);
    fill(
      this.#result,
      notices(
        outcome === "done" ? undefined : notice("error", message, cure),
        warnings.map((warning) => notice("warning", warning)),
      ),
    );
  }
}

const outcomeTitles = { failed: "The build failed", interrupted: "The build was interrupted" };
