import type { ElementHandle, HTTPRequest, Page } from "puppeteer-core";

const pauseMs = 20;
/** How often a test looks at a page that does nothing, before what it waits for will not happen: ten seconds. */
const maxLooks = 500;

/**
 * What a user sees and does in the page. Everything is found by what is on the screen. A test waits as long as the
 * page waits for its server, so a slow machine fails no test, and what will never happen fails only the test that
 * waits for it.
 */
export class PageUser {
  /** Requests without a response. */
  readonly #open = new Set<HTTPRequest>();

  /** Create it before the page is loaded. */
  constructor(readonly page: Page) {
    page.setDefaultTimeout(25_000);
    page.setDefaultNavigationTimeout(0);
    page.on("request", (request) => {
      if (pathOf(request) !== "/api/events") this.#open.add(request);
    });
    for (const end of ["requestfinished", "requestfailed"] as const) {
      page.on(end, (request) => this.#open.delete(request));
    }
  }

  /** Waits until an expression is true in the page. */
  async until(expression: string): Promise<void> {
    const isTrue = `Boolean(${expression})`;
    await this.#until(expression, async () => (await this.page.evaluate(isTrue)) === true);
  }

  async #until(what: string, isDone: () => Promise<boolean>): Promise<void> {
    for (let looks = 0; looks < maxLooks; looks += 1) {
      if (await isDone()) return;
      if (this.#open.size > 0 || (await this.sees(isBuilding))) looks = 0;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    throw new Error(
      `the page does nothing, and does not have: ${what}\n${await this.text("body")}`,
    );
  }

  field(name: string, inside = ""): string {
    return `.field[data-name="${name}"] ${inside}`.trim();
  }

  /** The visible text of an element; empty if there is none. */
  async text(selector: string): Promise<string> {
    const text: unknown = await this.page.evaluate(
      `document.querySelector(${JSON.stringify(selector)})?.innerText ?? ""`,
    );
    return String(text);
  }

  async waitForText(selector: string, text: string): Promise<void> {
    const [where, what] = [JSON.stringify(selector), JSON.stringify(text)];
    await this.until(`(document.querySelector(${where})?.innerText ?? "").includes(${what})`);
  }

  /** Replaces the text of a box. */
  async enter(selector: string, text: string): Promise<void> {
    await (await this.get(selector)).focus();
    await this.page.keyboard.down("Control");
    await this.page.keyboard.press("a");
    await this.page.keyboard.up("Control");
    if (text === "") await this.page.keyboard.press("Delete");
    else await this.page.keyboard.type(text);
  }

  /** Waits until no element is visible. */
  async gone(selector: string): Promise<void> {
    const found = `[...document.querySelectorAll(${JSON.stringify(selector)})]`;
    await this.until(`!${found}.some((one) => one.checkVisibility())`);
  }

  /** Clicks on a button with this text, once it is there and enabled. */
  async press(name: string): Promise<void> {
    const selector = `::-p-aria([name="${name}"][role="button"])`;
    await this.#until(selector, async () => {
      const button = await this.page.$(selector);
      if (button === null || !(await button.isVisible())) return false;
      return (await (await button.getProperty("disabled")).jsonValue()) !== true;
    });
    await this.page.locator(selector).click();
  }

  /** Clicks on the option of a group. */
  async choose(field: string, value: string): Promise<void> {
    await this.page.locator(this.field(field, `input[value="${value}"]`)).click();
  }

  /** Whether an element exists and is visible. */
  async sees(selector: string): Promise<boolean> {
    return (await this.page.evaluate(
      `document.querySelector(${JSON.stringify(selector)})?.checkVisibility() ?? false`,
    )) as boolean;
  }

  /** Waits until all of an element is in the window, without scrolling. */
  async waitForView(selector: string): Promise<void> {
    await this.until(
      `(({ top, bottom }) => top >= 0 && bottom <= innerHeight && bottom > top)(
        document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`,
    );
  }

  /** Forgets the last build, so that {@link built} waits for the next one. */
  async forgetBuild(): Promise<void> {
    await this.page.evaluate(`document.querySelector("#build").dataset.state = ""`);
  }

  /** Waits for the end of the build, whose result the page then reads. Returns what the page says about it. */
  async ended(): Promise<string> {
    await this.get('#build:is([data-state="done"], [data-state="failed"])');
    return await this.text("#build-status");
  }

  /** Waits until the page has read, and shows, the result of a build that has ended, and the form for the next one. */
  async rested(): Promise<void> {
    await this.until(
      `document.querySelector("#workspace[aria-busy], #parameters[aria-busy]") === null`,
    );
  }

  async built(): Promise<string> {
    const status = await this.ended();
    await this.rested();
    return status;
  }

  /** Presses a button that starts a build, and waits for its result. */
  async build(name: string): Promise<string> {
    await this.forgetBuild();
    await this.press(name);
    return await this.built();
  }

  async value(selector: string): Promise<unknown> {
    return await this.page.evaluate(`document.querySelector(${JSON.stringify(selector)}).value`);
  }

  /**
   * Makes the page send a request to a path of its server, and does something before the server gets it.
   *
   * @param start makes the page send it
   */
  async whileHeld(
    path: string,
    start: () => Promise<unknown>,
    use: () => Promise<void>,
  ): Promise<void> {
    const held: HTTPRequest[] = [];
    const pass = (request: HTTPRequest): void => {
      if (pathOf(request) !== path || held.push(request) > 1) void send(request);
    };
    this.page.on("request", pass);
    try {
      await this.page.setRequestInterception(true);
      await start();
      await this.#until(`a request to ${path}`, () => Promise.resolve(held.length > 0));
      held.forEach((request) => this.#open.delete(request));
      await use();
    } finally {
      for (const request of held.slice(0, 1)) {
        this.#open.add(request);
        await send(request);
      }
      await this.page.setRequestInterception(false);
      this.page.off("request", pass);
    }
  }

  /** Waits for a visible element. */
  async get(selector: string): Promise<ElementHandle> {
    await this.#until(selector, () => this.sees(selector));
    const found = await this.page.$(selector);
    if (found === null) throw new Error(`${selector} is gone again`);
    return found;
  }

  /** The rules of accessibility that the page breaks. */
  async accessibilityProblems(): Promise<readonly string[]> {
    const found: unknown = await this.page.evaluate(
      `axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
        .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => id + ": " + html.slice(0, 200) + " " + failureSummary)))`,
    );
    return found as readonly string[];
  }
}

const isBuilding = '#build[data-state="running"]';

const pathOf = (request: HTTPRequest): string => new URL(request.url()).pathname;

/** Lets an intercepted request through. Afterwards, and without an interception, there is nothing to do. */
const send = (request: HTTPRequest): Promise<void> => request.continue().catch(() => undefined);
