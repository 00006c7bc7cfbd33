import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { startBrowser } from "../../e2e/support/browser";
import { PageUser } from "../../e2e/workspace-page/form";
import { pages } from "../page";
import { BuiltSite } from "./built-site";
import { pastedMessages } from "./pasted-messages";

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const site = new BuiltSite();
let browser: Browser;

beforeAll(async () => {
  [browser] = await Promise.all([startBrowser(), site.start()]);
});

afterAll(() => {
  site.stop();
});

/** The pages in `docs`, by their paths in the site, without an ending. */
const sources = pages()
  .filter(({ path }) => path.startsWith("docs/"))
  .map(({ path }) => path.slice("docs/".length, -".md".length).replace(/^README$/, "index"));

describe("the files of the site", () => {
  it("are each page, as HTML and as Markdown", () => {
    for (const path of sources) {
      expect(site.read(`${path}.html`)).toContain('<main class="main"');
      expect(site.read(`${path}.md`)).toMatch(/^# /m);
    }
  });

  it("have links that lead to pages and headings", () => {
    const htmlOf = new Map(site.files(".html").map((path) => [path, site.read(path)]));
    const dead: string[] = [];
    let count = 0;
    for (const [page, html] of htmlOf) {
      for (const [, href = ""] of html.matchAll(/<a\s[^>]*?href="([^"]+)"/g)) {
        if (/^(?:https?|mailto):/.test(href)) continue;
        count++;
        const [path = "", anchor] = decodeURIComponent(href).split("#");
        const to = path === "" ? page : posix.join("/", posix.dirname(page), path).slice(1);
        const target = path.startsWith("/") ? path.slice(1) : to;
        const file = [target, `${target}.html`, `${target}index.html`].find((each) =>
          htmlOf.has(each),
        );
        const isThere =
          anchor === undefined || (htmlOf.get(file ?? "") ?? "").includes(`id="${anchor}"`);
        const isFile = file !== undefined || existsSync(join(site.folder, target));
        if (!isFile || !isThere) dead.push(`${page}: ${href}`);
      }
    }
    expect([...new Set(dead)]).toEqual([]);
    expect(count).toBeGreaterThan(1000);
  });

  it("begin with what Trivet is, with a recording, and a way for HCL", () => {
    const html = site.read("index.html");
    expect(html.match(/<h1 /g)).toHaveLength(1);
    const parts = [
      ...html.matchAll(
        /<h1 id="trivet"|Each error names your|recording\.\w+\.svg|<h2 id="documentation"/g,
      ),
    ];
    expect(parts.map(([part]) => part.slice(0, 9))).toEqual([
      '<h1 id="t',
      "Each erro",
      "recording",
      '<h2 id="d',
    ]);
    const ways = [
      "required_providers",
      'href="./guide/troubleshooting.html#without-the-trivet-command"',
    ];
    expect(ways.filter((way) => !html.includes(way))).toEqual([]);
  });

  it("load nothing from another host", () => {
    const foreign =
      /(?:<(?:script|img|source|iframe)[^>]*\ssrc=|<link[^>]*\shref=)"(?:https?:)?\/\/[^"]*/g;
    for (const path of site.files(".html")) {
      const html = site.read(path);
      expect([path, html.match(foreign)]).toEqual([path, null]);
      expect(html).toMatch(
        /<meta http-equiv="Content-Security-Policy" content="default-src 'none';/,
      );
    }
    for (const path of site.files(".css")) {
      expect(site.read(path)).not.toMatch(/url\(["']?(?:https?:)?\/\/|@import/);
    }
  });

  it("tell assistants what there is", () => {
    const list = site.read("llms.txt");
    const paths = [...list.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, path = ""]) => path);
    expect(list).toMatch(/^# Trivet\n\n> [A-Z].*\.\n\n## /);
    expect(paths.length).toBeGreaterThan(40);
    expect(paths.filter((path) => !existsSync(join(site.folder, path)))).toEqual([]);
    const full = site.read("llms-full.txt");
    for (const path of sources.filter((each) => each !== "index")) {
      expect(full).toContain(`<!-- ${path}.md -->\n`);
    }
  });
});

/** A page of each kind. */
const shown = [
  "",
  "guide/local-workspace",
  "reference/codes/INVALID_ARGUMENT",
  "reference/ids/resources/endpoint",
  "examples/ids",
];

const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } };

describe.each(Object.entries(sizes))("in a browser, on a %s", (_device, viewport) => {
  let page: Page;
  let user: PageUser;
  const problems: string[] = [];
  const requested: string[] = [];

  beforeAll(async () => {
    page = await browser.newPage();
    user = new PageUser(page);
    await page.setViewport(viewport);
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("request", (request) => requested.push(request.url()));
  });

  afterAll(async () => {
    await page.close();
  });

  /** @param except rules of axe that do not apply */
  const accessibilityProblems = async (...except: readonly string[]): Promise<unknown> => {
    const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]));
    await page.evaluate(axe);
    return await page.evaluate(`axe.run({ rules: ${JSON.stringify(rules)} }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ": " + target.join(" "))))`);
  };

  test.each(shown)("/%s is accessible, in light and dark, and fits", async (path) => {
    await page.goto(`${site.url}${path}`, { waitUntil: "load" });
    await user.until(`document.querySelector(".VPNavBarSearch button, .VPNavBarHamburger")`);
    for (const value of ["light", "dark"]) {
      await page.emulateMediaFeatures([
        { name: "prefers-color-scheme", value },
        { name: "prefers-reduced-motion", value: "reduce" },
      ]);
      const isDark = `document.documentElement.classList.contains("dark")`;
      await user.until(`${isDark} === ${value === "dark"}`);
      expect([value, await accessibilityProblems()]).toEqual([value, []]);
      const width = await page.evaluate(`document.scrollingElement.scrollWidth`);
      expect(width).toBeLessThanOrEqual(viewport.width);
    }
  });

  it("notices what is not accessible", async () => {
    await page.evaluate(`document.querySelector("main").append(document.createElement("input"))`);
    expect(await accessibilityProblems()).toEqual([expect.stringContaining("label: ")]);
  });

  /** Types a text into the search, and waits until the first result is a page. */
  const search = async (text: string, path: string): Promise<void> => {
    // The button opens the box once the page's scripts run.
    await user.until(`(document.querySelector(".VPNavBarSearch button")?.click(),
      document.querySelector(".VPLocalSearchBox input") !== null)`);
    // As pasted: at once, and on one line.
    await page.evaluate(
      (pasted) => {
        const box = document.querySelector<HTMLInputElement>(".VPLocalSearchBox input");
        if (box === null) return;
        box.value = pasted;
        box.dispatchEvent(new Event("input"));
      },
      text.replaceAll("\n", " "),
    );
    // The list changes while the text grows.
    await user.until(
      `document.querySelector(".VPLocalSearchBox .result")?.getAttribute("href").includes("${path}")`,
    );
  };

  test.each([
    ["the service refuses to create an endpoint without a network", "endpoint-without-network"],
    ["must differ from that of Demo/west, which has the same project", "DUPLICATE"],
    ['endpointId: must start with a lowercase letter (got "My")', "INVALID_ARGUMENT"],
  ])("the search finds a page from the text of an error: %s", async (text, code) => {
    await page.goto(site.url, { waitUntil: "load" });
    await search(text, `/reference/codes/${code}`);
    // The generator's own list of results has links in its options, whose labels shorten what they show.
    const own = ["nested-interactive", "label-content-name-mismatch"];
    expect(await accessibilityProblems(...own)).toEqual([]);
    await page.keyboard.press("Enter");
    await user.until(`document.title.startsWith(${JSON.stringify(code)})`);
  });

  const pasted = _device === "desktop" ? pastedMessages : pastedMessages.slice(0, 2);
  test.each(pasted)("the search finds first what explains %s", async (text, path) => {
    await page.goto(site.url, { waitUntil: "load" });
    await search(text, path);
  });

  it("has loaded nothing from another host, without an error", () => {
    expect(problems).toEqual([]);
    const foreign = requested.filter(
      (url) => !url.startsWith(site.url) && !url.startsWith("data:"),
    );
    expect(foreign).toEqual([]);
    expect(requested.length).toBeGreaterThan(20);
  });
});
