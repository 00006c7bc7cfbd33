import type { BuildEvent, BuildOutcome, PageAction } from "../page-data";
import { notice, notices, element, fill, found } from "../../../service/page/browser/element.js";
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

/** A button with the state of a build, shown while the panel of the build is out of view. It leads to the panel. */
class BuildStrip {
  readonly #panel: HTMLElement;
  readonly #button = found("build-strip", HTMLButtonElement);
  readonly #text = found("build-strip-text", HTMLElement);
  #isRunning = false;
  #isPanelVisible = true;
  /** True if the user has followed the build here, and has not seen its result in the panel. */
  #isFollowed = false;

  constructor(panel: HTMLElement) {
    this.#panel = panel;
    this.#button.addEventListener("click", () => {
      this.reveal();
    });
    const title = panel.querySelector(".build-title") ?? panel;
    new IntersectionObserver(([entry]) => {
      this.#isPanelVisible = panel.hasAttribute("hidden") || entry?.isIntersecting === true;
      this.#show();
    }).observe(title);
  }

  update(status: string, isRunning: boolean): void {
    this.#text.textContent = status;
    this.#isRunning = isRunning;
    this.#button.dataset["state"] = this.#panel.dataset["state"];
    this.#show();
  }

  /** Moves the focus to the panel, and scrolls the page if the panel is not in its upper half. */
  reveal(): void {
    this.#panel.focus({ preventScroll: true });
    const { top } = this.#panel.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) this.#panel.scrollIntoView({ block: "start" });
  }

  #show(): void {
    if (this.#isPanelVisible) this.#isFollowed = false;
    else if (this.#isRunning) this.#isFollowed = true;
    this.#button.hidden = !this.#isFollowed;
  }
}

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
