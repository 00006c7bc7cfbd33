import { found } from "../../../service/page/browser/element.js";

/**
 * Keeps the state of a build in view while its panel is not: a button that leads there. Screen readers are told by
 * the panel itself, wherever it is.
 */
export class BuildStrip {
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
