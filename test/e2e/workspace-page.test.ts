import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, HTTPRequest, HTTPResponse } from "puppeteer-core";
import { expectPacked } from "./support/packed-page";
import { startBrowser } from "./support/browser";
import { WorkspacePage } from "./support/workspace-page";
import { PageUser } from "./workspace-page/form";

const configuration = readFileSync(join(__dirname, "workspace-page", "template.tf"), "utf8");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const pictures = join(__dirname, "..", "..", "docs", "guide");

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});

describe("the page of a template", () => {
  let page: WorkspacePage;
  let user: PageUser;
  /** What the page asked servers for, and what its own server answered. */
  const requests: HTTPRequest[] = [];
  const answers: Promise<string>[] = [];
  const problems: string[] = [];

  beforeAll(async () => {
    page = new WorkspacePage(configuration);
    user = await visitor(await page.open());
  });

  beforeEach(async () => {
    await user.page.setViewport({ width: 1280, height: 900 });
    await user.page.emulateMediaFeatures([]);
  });

  afterAll(async () => {
    await user.page.close();
    expect(await page.close()).toMatchObject({ code: 0 });
    expect(await page.workspace.outliving()).toEqual([]);
    page.workspace.remove();
  });

  async function visitor(url: string): Promise<PageUser> {
    const tab = await browser.newPage();
    const visiting = new PageUser(tab);
    tab.on("request", (request) => requests.push(request));
    tab.on("response", (response) => answers.push(bodyOf(response)));
    tab.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    tab.on("pageerror", (error) => problems.push(String(error)));
    await tab.goto(url);
    return visiting;
  }

  /** The inputs that Terraform gave the machine. */
  function machine(name = "dev"): Readonly<Record<string, string>> {
    const file = join(page.stateFolder, "workspaces", name, "terraform.tfstate");
    const { resources } = JSON.parse(readFileSync(file, "utf8")) as {
      resources: { name: string; instances: { attributes: { input: { value: object } } }[] }[];
    };
    const found = resources.find((resource) => resource.name === "machine")?.instances[0];
    return { ...(found?.attributes.input.value as Record<string, string>) };
  }

  it("shows the form in the template's order, with what users must know about each value", async () => {
    await user.get(user.field("clean"));
    const names: unknown = await user.page.evaluate(
      `[...document.querySelectorAll("#parameters > .field")].map(({ dataset }) => dataset.name)`,
    );
    expect(names).toEqual(
      ["toolchain", "region", "cores", "gpu", "branch", "disk"].concat([
        "editors",
        "packages",
        "notes",
        "license",
        "clean",
      ]),
    );
    expect(await user.text(user.field("toolchain", ".help"))).toContain("See the images.");
    expect(await user.text(user.field("region", ".badge"))).toBe("immutable");
    expect(await user.text(user.field("branch", ".badge"))).toBe("required");
    expect(await user.text(user.field("clean", ".badge"))).toBe("ephemeral");
    expect(await user.text(user.field("secretEnv REGISTRY_PASSWORD"))).toContain("required");
    expect(await user.text(user.field("secretEnv REGISTRY_PASSWORD"))).toContain(
      "Store the password of the registry under Account › Secrets.",
    );
    expect(await user.text(user.field("externalAuth code-host"))).toContain("optional");
    expect(await user.sees(user.field("toolchain", "svg.icon.of-brand"))).toBe(true);
    await user.page.click(user.field("toolchain", "select"));
    await user.get("[data-name=toolchain] option img[src^='data:']");
    await user.page.keyboard.press("Escape");
  });

  it("shows the Markdown of a description", async () => {
    const shown: unknown = await user.page.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(user.field("notes", ".help > *"))})]
        .map(({ tagName, innerText }) => [tagName, innerText])`,
    );
    expect(shown).toEqual([
      ["H3", "What to write"],
      ["P", "Others read it before they change anything:"],
      ["UL", "the purpose of the machine\nwhom to ask, such as ada@example.com"],
      ["DIV", "Label\tMeaning\nwip\tnot finished\nstale\tmay be deleted"],
      ["PRE", 'echo "kept in ~/notes"\n'],
      ["P", "Picture: How notes are used"],
    ]);
  });

  it("is accessible, in light and dark", async () => {
    await user.page.evaluate(axe);
    // What an input without a label shows is that the rules find something.
    await user.page.evaluate(
      `document.querySelector("main").append(document.createElement("input"))`,
    );
    expect(await user.accessibilityProblems()).toEqual([expect.stringContaining("label: <input")]);
    await user.page.evaluate(`document.querySelector("main > input").remove()`);
    for (const value of ["light", "dark"]) {
      await user.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
      expect(await user.accessibilityProblems()).toEqual([]);
    }
  });

  it("refuses a wrong value while one types, in the words of the rule", async () => {
    const focused = () =>
      user.page.evaluate(`document.activeElement?.closest(".field")?.dataset.name`);
    await user.press("Create workspace");
    await user.waitForText(user.field("branch", ".problem"), "Required parameter not provided");
    expect(await focused()).toBe("branch");
    await user.enter(user.field("cores", ".slider-value"), "99");
    await user.waitForText(user.field("cores", ".problem"), "must be at most 32");
    await user.enter(user.field("branch", "input"), "Main");
    await user.waitForText(
      user.field("branch", ".problem"),
      "Use lower-case letters, digits, slashes and hyphens, not Main",
    );
    await user.enter(user.field("disk", "input"), "2.5");
    await user.waitForText(user.field("disk", ".problem"), "must be an integer");
    expect(await user.text(user.field("region", ".problem"))).toBe("");
    expect(await user.accessibilityProblems()).toEqual([]);

    await user.press("Create workspace");
    await user.until(`document.activeElement?.closest(".field")?.dataset.name === "cores"`);
    expect(await user.sees("#build")).toBe(false);

    await user.enter(user.field("cores", ".slider-value"), "4");
    await user.enter(user.field("disk", "input"), "50");
    await user.enter(user.field("branch", "input"), "main");
    await user.gone("#parameters .refused");
  });

  it("shows a parameter only as long as another one asks for it", async () => {
    await user.page.click(user.field("gpu", "input"));
    await user.get(user.field("gpu_model"));
    await user.page.click(user.field("gpu", "input"));
    await user.gone(user.field("gpu_model"));
    await user.page.click(user.field("gpu", "input"));
    await user.enter(user.field("gpu_model", "input"), "large");
  });

  it("sets the values of a preset, and gives them back", async () => {
    await user.page.select("#preset-choice", "Large");
    await user.waitForText(user.field("cores"), "Set by the preset Large.");
    const value = (selector: string) =>
      user.page.evaluate(`document.querySelector(${JSON.stringify(selector)}).value`);
    expect(await value(user.field("cores", ".slider-value"))).toBe("16");
    expect(await value(user.field("region", "input:checked"))).toBe("us");
    await user.waitForText("#workspace", "us");
    await user.page.select("#preset-choice", "");
    await user.gone(user.field("cores", ".slider-value:disabled"));
    expect(await value(user.field("cores", ".slider-value"))).toBe("4");
  });

  it("builds a workspace with a value in every form type, and shows the progress", async () => {
    await user.page.select(user.field("toolchain", "select"), "ts");
    await user.choose("region", "us");
    const range = await user.get(user.field("cores", "input[type=range]"));
    await range.press("ArrowRight");
    await user.enter(user.field("branch", "input"), "feature/page");
    await user.enter(user.field("disk", "input"), "60");
    await user.choose("editors", "notebook");
    const tags = await user.get(user.field("packages", ".tag-select > input"));
    await tags.type("jq");
    await tags.press("Enter");
    await user.page.locator(user.field("packages", `[aria-label="Remove git"]`)).click();
    await user.enter(user.field("notes", "textarea"), "two\nlines");
    await user.enter(user.field("license", "input"), "key-12345");
    await user.page.click(user.field("clean", "input"));
    await user.enter(user.field("secretEnv REGISTRY_PASSWORD", "input"), "pass-phrase");
    await user.enter("#workspace-owner", "ada");

    await user.page.setViewport({ width: 390, height: 780 });
    await user.page.evaluate(`document.querySelector("[data-name=toolchain]").scrollIntoView()`);
    await user.press("Create workspace");
    await user.waitForText("#build-status", "Starting dev");
    await user.waitForView("#build-status");
    expect(await user.page.evaluate("document.activeElement.id")).toBe("build");
    await user.waitForText("#build-lines", "terraform_data.machine[0]: Plan to create");
    expect(await user.built()).toMatch(/^The workspace "dev" of "ada" is running: \d+ created\.$/);
    expect(machine()).toMatchObject({
      toolchain: "ts",
      region: "us",
      cores: "5",
      gpu: "large",
      branch: "feature/page",
      editors: '["code","notebook"]',
      packages: '["jq"]',
      notes: "two\nlines",
      license: "key-12345",
      clean: "true",
    });
  });

  it("shows the workspace as the platform would", async () => {
    await user.waitForText("#workspace-status", "running");
    await user.get(".agent");
    const all = await user.text("#workspace");
    for (const part of [
      "ada",
      "15",
      "main",
      "linux/amd64",
      "terraform_data.machine[0]",
      "Load",
      "60 GiB",
      "Restarts when files change",
      "daily cost 12",
      "daily cost 3",
      "GIT_AUTHOR_NAME",
      "zone",
      "us",
      "container",
      "0 of 2 ready",
      "/home/dev/project",
    ]) {
      expect(all).toContain(part);
    }
    const links: unknown = await user.page.evaluate(
      `[...document.querySelectorAll("a.app")].map((link) => [link.querySelector(".app-name").innerText, link.href])`,
    );
    expect(links).toEqual([
      ["Web preview", "http://localhost:8080/"],
      ["Desktop editor", "vscode://example/open?folder=/home/dev/project"],
    ]);
    expect(await user.text("div.app")).toContain("htop");
    expect(await user.text(".resources a[href='https://registry.example.com/dev']")).toBe("dev/ts");
    const scripts: unknown = await user.page.evaluate(
      `[...document.querySelectorAll(".script summary")].map(({ innerText }) => innerText.split("\\n").filter((line) => line !== ""))`,
    );
    expect(scripts).toEqual([
      ["Startup Script", "at start"],
      ["Install packages", "at start", "blocks login", "at most 600 s"],
      ["Back up", "on schedule 0 0 22 * * *"],
      ["Back up", "before the stop"],
    ]);
    for (const value of ["light", "dark"]) {
      await user.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
      expect(await user.accessibilityProblems()).toEqual([]);
      if (process.env["PICTURES"] !== undefined) await picture(value);
    }
  });

  async function picture(scheme: string): Promise<void> {
    await user.page.evaluate("document.activeElement?.blur(); scrollTo(0, 0)");
    await user.page.screenshot({ path: join(pictures, `local-workspace-${scheme}.png`) });
  }

  it("never receives a secret before the user asks for it", async () => {
    const received = (await Promise.all(answers)).join("\n");
    const state = readFileSync(
      join(page.stateFolder, "workspaces", "dev", "terraform.tfstate"),
      "utf8",
    );
    const [, token = ""] = /"token": "([^"]+)"/.exec(state) ?? [];
    expect(token.length).toBeGreaterThan(20);
    expect(received).toContain("GIT_AUTHOR_NAME");
    for (const secret of [token, "pass-phrase", "console-password", "key-12345"]) {
      expect(received.includes(secret)).toBe(false);
    }
    expect(await user.page.evaluate("document.body.innerHTML")).not.toContain("key-12345");
    await user.page.evaluate(`document.querySelector("#build-log").open = true`);
    expect(await user.text("#build-lines")).toContain("Nobody has checked the licence ***.");
    await user.press("Reveal license");
    await user.waitForText("#workspace", "key-12345");
    await user.press("Reveal LICENSE");
    await user.waitForText(".agent", "key key-12345");
    await user.press("Reveal the token");
    await user.waitForText(".agent", token);
    await user.press("Reveal REGISTRY_PASSWORD");
    await user.waitForText(".agent", "pass-phrase");
    await user.press("Reveal Console password");
    await user.waitForText(".resources", "console-password");
  });

  it("starts again with the last values, those of immutable parameters locked", async () => {
    await user.waitForText(user.field("region"), "It cannot be changed");
    expect(await user.sees(user.field("region", "input:not(:disabled)"))).toBe(false);
    await user.enter(user.field("disk", "input"), "20");
    await user.waitForText(
      user.field("disk", ".problem"),
      "must not be less than the previous value 60",
    );
    await user.enter(user.field("disk", "input"), "70");
    expect(await user.build("Rebuild")).toContain("is running");
    expect(machine()).toMatchObject({ branch: "feature/page", clean: "false", region: "us" });
    // The page does not have the masked value, and leaves it as it is.
    const license = user.field("license", "input[placeholder='Unchanged']");
    expect(await user.value(license)).toBe("");
    expect(machine()).toMatchObject({ license: "key-12345" });
    await user.waitForText(".resources", "70 GiB");
  });

  it("stops the workspace, and starts it with the keyboard alone", async () => {
    expect(await user.build("Stop")).toContain("is stopped");
    await user.waitForText("#workspace-status", "stopped");
    expect(await user.sees(".agent")).toBe(false);
    await user.forgetBuild();
    await user.page.evaluate("document.activeElement?.blur()");
    for (let step = 0; step < 60 && (await focusedText(user)) !== "Start"; step += 1) {
      await user.page.keyboard.press("Tab");
    }
    expect(await focusedText(user)).toBe("Start");
    await user.page.keyboard.press("Enter");
    expect(await user.built()).toContain("is running");
  });

  it("keeps what the user enters while the page reads the result of a build", async () => {
    const rebuild = async (): Promise<void> => {
      await user.forgetBuild();
      await user.press("Rebuild");
      expect(await user.ended()).toContain("is running");
    };
    await user.whileHeld("/api/workspace", rebuild, () =>
      user.enter(user.field("notes", "textarea"), "newer"),
    );
    await user.rested();
    expect(await user.value(user.field("notes", "textarea"))).toBe("newer");
    expect(await user.build("Rebuild")).toContain("is running");
    expect(machine()).toMatchObject({ notes: "newer" });
  });

  it("leaves a user who types where they are, and keeps the progress in view", async () => {
    await user.page.setViewport({ width: 390, height: 780 });
    const place = (): Promise<unknown> =>
      user.page.evaluate("[document.activeElement.tagName, scrollY]");
    let before: unknown;
    const press = () => user.press("Rebuild");
    await user.whileHeld("/api/build", press, async () => {
      await user.enter(user.field("notes", "textarea"), "typed");
      before = await place();
    });
    await user.waitForText("#build-strip", "Starting dev");
    await user.waitForView("#build-strip");
    expect(await place()).toEqual(before);
    await user.waitForText("#build-strip", 'The workspace "dev" of "ada" is running');
    expect(await place()).toEqual(before);
    expect(await user.accessibilityProblems()).toEqual([]);
    await user.page.click("#build-strip");
    await user.waitForView("#build-status");
    await user.gone("#build-strip");
  });

  it("asks for a secret that is empty before it builds, and keeps what the user entered", async () => {
    await user.enter(user.field("notes", "textarea"), "kept");
    await user.enter(user.field("secretEnv REGISTRY_PASSWORD", "input"), "");
    await user.press("Rebuild");
    await user.waitForText(user.field("secretEnv REGISTRY_PASSWORD"), "A start needs a value.");
    expect(await user.accessibilityProblems()).toEqual([]);
    expect(await user.value(user.field("notes", "textarea"))).toBe("kept");
    await user.enter(user.field("secretEnv REGISTRY_PASSWORD", "input"), "pass-phrase");
  });

  it("deletes the workspace only after a question", async () => {
    await user.press("Delete");
    await user.get("dialog[open]");
    expect(await user.accessibilityProblems()).toEqual([]);
    await user.page.keyboard.press("Escape");
    await user.gone("dialog[open]");
    expect(await user.text("#workspace-status")).toBe("running");
    await user.press("Delete");
    await user.forgetBuild();
    await user.page.locator("dialog[open] button[value=delete]").click();
    expect(await user.built()).toContain("is deleted");
    await user.waitForText("#workspace-title", "No workspace yet");
  });

  it("prebuilds a workspace, and gives it to its owner", async () => {
    await user.enter("#workspace-name", "pool");
    await user.page.select("#preset-choice", "Large");
    await user.waitForText(user.field("cores"), "Set by the preset Large.");
    expect(await user.build("Prebuild")).toContain('The workspace "pool" of "prebuilds"');
    await user.waitForText("#workspace", "1 of 2 ready: pool");
    await user.enter("#workspace-owner", "grace");
    await user.enter(user.field("secretEnv REGISTRY_PASSWORD", "input"), "pass-phrase");
    expect(await user.build("Claim")).toContain('The workspace "pool" of "grace" is running');
    await user.waitForText("#workspace", "0 of 2 ready");
    await user.press("Delete");
    await user.forgetBuild();
    await user.page.locator("dialog[open] button[value=delete]").click();
    expect(await user.built()).toContain("is deleted");
  });

  it("connects to nothing but its server, and breaks none of its own rules", () => {
    const { origin } = new URL(user.page.url());
    const others = requests
      .map((request) => request.url())
      .filter((url) => !url.startsWith(origin));
    expect(others.filter((url) => !url.startsWith("data:"))).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("is complete in the npm package", () => {
    const packed = expectPacked(user.page, requests, "workspace/page/browser/");
    expect(packed).not.toMatch(/page\/browser\/\w+\.d\.ts/);
  });

  it("gives no access to a page of another origin, or without the token", async () => {
    const url = new URL(user.page.url());
    const other = createServer((_, response) => {
      response.setHeader("content-type", "text/html").end("<title>other</title>");
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const attempts: unknown = await tab.evaluate(
      `Promise.all([
        fetch("${url.origin}/api/overview").then(() => "read", () => "refused"),
        fetch("${url.origin}/api/build", { method: "POST", mode: "no-cors", body: '{"action":"delete","workspace":"dev"}' })
          .then(({ type }) => type, () => "refused"),
        new Promise((resolve) => {
          const script = document.createElement("script");
          script.src = "${url.origin}/main.js";
          script.onload = () => resolve("loaded");
          script.onerror = () => resolve("refused");
          document.head.append(script);
        }),
      ])`,
    );
    expect(attempts).toEqual(["refused", "refused", "refused"]);
    await tab.close();
    other.close();
    const stranger = new PageUser(await browser.newPage());
    await stranger.page.goto(url.origin);
    await stranger.waitForText("#failure", "Open the address that the command printed");
    await stranger.page.close();
  });
});

const focusedText = (user: PageUser): Promise<unknown> =>
  user.page.evaluate("document.activeElement.innerText");

/** The text that a server sent; empty for a stream that has not ended. */
async function bodyOf(response: HTTPResponse): Promise<string> {
  const isStream = response.headers()["content-type"]?.includes("event-stream") === true;
  return isStream ? "" : await response.text().catch(() => "");
}
