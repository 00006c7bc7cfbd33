import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startBrowser } from "./support/browser";
import { WorkspacePage } from "./support/workspace-page";
import { PageUser } from "./workspace-page/form";

const configuration = readFileSync(join(__dirname, "workspace-page", "hostile.tf"), "utf8");
const evil = "<img src=x onerror='broken=1'><script>broken=1</script>";

let page: WorkspacePage;
let user: PageUser;
let address: string;
/** What the page asked servers for, and what its policy refused. */
const requests: string[] = [];
const problems: string[] = [];

beforeAll(async () => {
  const browser = await startBrowser();
  page = new WorkspacePage(configuration);
  address = await page.open();
  const tab = await browser.newPage();
  tab.on("request", (request) => requests.push(request.url()));
  tab.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  tab.on("pageerror", (error) => problems.push(String(error)));
  user = new PageUser(tab);
  await tab.goto(address);
});

afterAll(async () => {
  expect(await page.close("SIGINT")).toMatchObject({ code: 130 });
  page.workspace.remove();
});

/** What of the page's elements a template must not be able to add. */
async function foreignParts(): Promise<unknown> {
  const { origin } = new URL(address);
  return await user.page.evaluate(
    `[...document.querySelectorAll("body *")].flatMap((one) => [
      ...(/^(?:script|iframe|object|embed|style|link|base|meta|video|audio|b|i)$/i.test(one.tagName) ? [one.outerHTML] : []),
      ...[...one.attributes].filter(({ name }) => name.startsWith("on")).map(({ name }) => name),
      ...["src", "srcset", "action", "formaction", "background", "poster", "data"]
        .map((name) => one.getAttribute(name) ?? "")
        .filter((url) => url !== "" && !url.startsWith("data:image/svg+xml,")),
      ...(one instanceof HTMLAnchorElement && !/^(?:https?:|mailto:)/.test(one.href) ? [one.href] : []),
      ...(one instanceof HTMLAnchorElement && one.origin !== ${JSON.stringify(origin)} && one.rel !== "noopener noreferrer"
        ? [one.rel] : []),
    ])`,
  );
}

/** That nothing of the template has run, has become markup, or was loaded. */
async function expectHarmless(): Promise<void> {
  expect(await foreignParts()).toEqual([]);
  expect(await user.page.evaluate(`"broken" in window`)).toBe(false);
  const { origin } = new URL(address);
  const others = requests.filter((one) => !one.startsWith(origin) && !one.startsWith("data:"));
  expect(others).toEqual([]);
  expect(problems).toEqual([]);
}

describe("the page of a hostile template", () => {
  it("shows the form as text", async () => {
    await user.waitForText(user.field("trap"), evil);
    const field = await user.text(user.field("trap"));
    expect(field).toContain("[click](javascript:broken=1)");
    expect(field).toContain("<b>bold</b>");
    expect(field).toContain("Picture: seen");
    expect(field).toContain("\u{1f680}");
    expect(await user.text(user.field("trap", ".icon.placeholder"))).toMatch(/^pi$/i);
    expect(await user.text("#preset-choice")).toContain(evil);
    await expectHarmless();
  });

  it("shows what was built as text, and links only to the web", async () => {
    expect(await user.build("Create workspace")).toContain("is running");
    await user.get(".agent");
    await user.page.evaluate(
      `document.querySelectorAll("details").forEach((one) => (one.open = true))`,
    );
    for (const part of [
      ".agent",
      ".app-name",
      ".app-group h4",
      ".script",
      "#workspace .resources",
    ]) {
      expect(await user.text(part)).toContain(evil);
    }
    // As text of a description list, of a tag, and in the log.
    expect(await user.text("#workspace")).toMatch(/free\n<img src=x onerror/);
    expect(await user.text("#workspace")).toMatch(/evil\n<img src=x onerror/);
    expect(await user.text("#build-lines")).toContain(evil);
    const links: unknown = await user.page.evaluate(
      `[...document.querySelectorAll("a.app")].map(({ href }) => href)`,
    );
    expect(links).toEqual(["https://other.example/app"]);
    const icons: unknown = await user.page.evaluate(
      `[...document.querySelectorAll(".app .icon")].map(({ tagName }) => tagName)`,
    );
    expect(icons).toEqual(expect.arrayContaining(["IMG", "SPAN"]));
    await expectHarmless();
  });

  it("shows the failure of a build as text", async () => {
    await user.enter(user.field("free", "input"), "fail");
    expect(await user.build("Rebuild")).toBe("The build failed");
    expect(await user.text("#build-result")).toContain(evil);
    await expectHarmless();
  });

  it("does not leave its token where others could see it", () => {
    expect(user.page.url()).toBe(`${new URL(address).origin}/`);
  });
});

describe("Markdown on the page", () => {
  it.each<[what: string, text: string, html: string]>([
    [
      "headings, whose levels follow each other",
      "# A\n\n### B\n\n## C\n\n# D",
      "<h3>A</h3><h4>B</h4><h4>C</h4><h3>D</h3>",
    ],
    ["lists", "3. a\n4. b\n   - c\n", '<ol start="3"><li>a</li><li>b<ul><li>c</li></ul></li></ol>'],
    [
      "tables",
      "| a | b |\n| - | -: |\n| *1* | `2` |",
      '<div class="table" tabindex="0"><table><thead><tr><th>a</th><th class="align-right">b</th></tr></thead>' +
        '<tbody><tr><td><em>1</em></td><td class="align-right"><code>2</code></td></tr></tbody></table></div>',
    ],
    [
      "code, quotes and rules",
      "```sh\n<a> &amp;\n```\n> **q**\n\n---\n",
      '<pre tabindex="0"><code>&lt;a&gt; &amp;amp;\n</code></pre><blockquote><p><strong>q</strong></p></blockquote><hr>',
    ],
    [
      "links to the web, and characters by their names",
      "https://a.example/?x=1&y=2 [b](mailto:b@example.com) &copy;",
      '<p><a href="https://a.example/?x=1&amp;y=2" target="_blank" rel="noopener noreferrer">https://a.example/?x=1&amp;y=2</a> ' +
        '<a href="mailto:b@example.com" target="_blank" rel="noopener noreferrer">b</a> ©</p>',
    ],
    [
      "links to anything else as text",
      "[a](javascript:x) [b](/templates) [c](vscode://x) [d](<java\nscript:x>) [e](data:text/html,x) <javascript:x>",
      '<p>[a](javascript:x) <span title="/templates">b</span> <span title="vscode://x">c</span> ' +
        "[d](&lt;java\nscript:x&gt;) [e](data:text/html,x) &lt;javascript:x&gt;</p>",
    ],
    [
      "pictures that the page has, and links to others",
      "![a](https://other.example/a.png) ![b](/elsewhere.png) ![c](data:image/png;base64,AA)",
      '<p><span class="picture"><a href="https://other.example/a.png" target="_blank" rel="noopener noreferrer" ' +
        'title="https://other.example/a.png (this page loads no pictures from servers)">Picture: a</a></span> ' +
        '<span class="icon placeholder" title="Icon /elsewhere.png (this page loads no icons from servers)" aria-hidden="true">el</span> ' +
        '<img class="picture" src="data:image/png;base64,AA" alt="c"></p>',
    ],
    [
      "HTML as text",
      "<div onclick=x>a</div>\n\n<!-- b --> <b>c</b>",
      "<p>&lt;div onclick=x&gt;a&lt;/div&gt;</p><p>&lt;!-- b --&gt; &lt;b&gt;c&lt;/b&gt;</p>",
    ],
    ["what is too long as text", `# ${"a".repeat(20_000)}`, `<p># ${"a".repeat(20_000)}</p>`],
  ])("shows %s", async (_, text, html) => {
    expect(await shown("markdown", text)).toBe(html);
  });

  it.each([
    ">".repeat(19_999),
    "[".repeat(19_999),
    "- a\n".repeat(4_000),
    "|a".repeat(9_000),
    "_a__b".repeat(3_999),
  ])("survives hostile text", async (text) => {
    expect(await shown("markdown", text)).toContain(">");
  });

  it("shows a line without headings and lists, and links only where they can be", async () => {
    const text = "# *a* [b](https://b.example) ![c](https://c.example/c.png)";
    expect(await shown("inlineMarkdown", text, false)).toBe(
      '# <em>a</em> <span>b</span> <span class="picture">Picture: c</span>',
    );
    expect(await shown("inlineMarkdown", text)).toContain('<a href="https://b.example"');
    await expectHarmless();
  });

  const shown = async (how: string, ...args: readonly unknown[]): Promise<unknown> =>
    await user.page.evaluate(
      `import("/markdown.js").then((module) => {
        const box = document.createElement("div");
        box.append(...module.${how}(...${JSON.stringify(args)}));
        return box.innerHTML;
      })`,
    );
});
