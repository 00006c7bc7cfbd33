import type { ElementHandle, HTTPRequest, Page } from "puppeteer-core";

/** What a user sees and does in the page. Everything is found by what is on the screen. */
export class PageUser {
  constructor(readonly page: Page) {
    page.setDefaultTimeout(200_000);
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
    await this.page.waitForFunction(
      `(document.querySelector(${where})?.innerText ?? "").includes(${what})`,
    );
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

  /** Clicks on a visible button with this text. */
  async press(name: string): Promise<void> {
    await this.page.locator(`::-p-aria([name="${name}"][role="button"])`).click();
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
    await this.page.waitForFunction(
      `(({ top, bottom }) => top >= 0 && bottom <= innerHeight && bottom > top)(
        document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`,
    );
  }

  /** Waits for the end of the build, and returns what the page says about it. */
  async built(): Promise<string> {
    await this.page.waitForSelector('#build:is([data-state="done"], [data-state="failed"])');
    return await this.text("#build-status");
  }

  /** Presses a button that starts a build, and waits until it has ended. */
  async build(name: string): Promise<string> {
    await this.page.evaluate(`document.querySelector("#build").dataset.state = ""`);
    await this.press(name);
    return await this.built();
  }

  async value(selector: string): Promise<unknown> {
    return await this.page.evaluate(`document.querySelector(${JSON.stringify(selector)}).value`);
  }

  /** Stops the next request to a path of the server. It is sent when the returned function is called. */
  async hold(path: string): Promise<{ held: Promise<unknown>; release: () => Promise<void> }> {
    await this.page.setRequestInterception(true);
    const isHeld = (request: HTTPRequest): boolean => new URL(request.url()).pathname === path;
    const pass = (request: HTTPRequest): void => void (isHeld(request) || request.continue());
    this.page.on("request", pass);
    const held = this.page.waitForRequest(isHeld);
    const release = async (): Promise<void> => {
      this.page.off("request", pass);
      await (await held).continue();
      await this.page.setRequestInterception(false);
    };
    return { held, release };
  }

  async get(selector: string): Promise<ElementHandle> {
    const found = await this.page.waitForSelector(selector);
    if (found === null) throw new Error(`there is no ${selector}`);
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
