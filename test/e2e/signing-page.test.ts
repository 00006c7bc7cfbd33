import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, HTTPRequest } from "puppeteer-core";
import type { DigestReference } from "../../src/core/signing/oci/reference/image-name";
import { expectPacked } from "./support/packed-page";
import { startBrowser } from "./support/browser";
import { SigningPage } from "./support/signing-page";
import { PageUser } from "./workspace-page/form";

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const pictures = join(__dirname, "..", "..", "docs", "guide");
const scan = "https://example.com/scan/v1";

let browser: Browser;
const page = new SigningPage();

beforeAll(async () => {
  browser = await startBrowser();
});

describe("the page of the local signing services", () => {
  let user: PageUser;
  let image: DigestReference;
  const requests: HTTPRequest[] = [];
  const problems: string[] = [];

  beforeAll(async () => {
    const { page: url } = await page.open();
    page.allow("release@example.com", "scanner@example.com");
    const tab = await browser.newPage();
    await tab.setViewport({ width: 1280, height: 900 });
    tab.on("request", (request) => requests.push(request));
    tab.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    tab.on("pageerror", (error) => problems.push(String(error)));
    user = new PageUser(tab);
    await tab.goto(url);
  });

  afterAll(async () => {
    await user.page.close();
    expect(await page.close()).toMatchObject({ code: 0 });
  });

  it("shows an image when it is pushed, and that nothing is attached", async () => {
    await user.waitForText("#images", "The registry has no images.");
    image = await page.push("release/app", "1.4");
    await user.waitForText("#images", "release/app:1.4");
    await user.press(`release/app:1.4 ${image.digest.slice(0, 19)}`);
    await user.waitForText("#content", "Nothing is attached.");
    await user.waitForText(".verdict", "refused");
    expect(await user.text("#detail-title")).toBe(`${page.facts.registryHost}/release/app:1.4`);
    expect(await user.page.evaluate("document.activeElement.id")).toBe("detail");
  });

  it("shows who has signed as soon as it is signed, and because of what a policy accepts it", async () => {
    await page.sign(image, "release@example.com", "legacy");
    await page.attest(image, "ci@example.com", "bundle", "https://slsa.dev/provenance/v1");
    await user.waitForText("#content", "by release@example.com");
    await user.waitForText(".tree", "by ci@example.com");
    await user.waitForText(".verdict", "scanned does not accept it NO_AUTHORITY");
    expect(await user.text(".verdict")).toContain("did not count OTHER_TYPE");
    await page.attest(image, "scanner@example.com", "bundle", scan);
    await user.waitForText(".verdict", "is accepted ACCEPTED");
    // The tree and the verdict are read one after the other: the next change brings both.
    await user.waitForText(".tree", "counts for scanned");
    await user.waitForText("#news", "has changed");
    const badges: unknown = await user.page.evaluate(
      `[...document.querySelectorAll(".item .row")].map(({ innerText }) => innerText.split(/\\s*\\n\\s*/))`,
    );
    expect(badges).toEqual([
      ["Signature", "verified", "under a tag", "counts for release"],
      ["Attestation", "verified", "Sigstore bundle"],
      ["Attestation", "verified", "Sigstore bundle", "counts for scanned"],
    ]);
  });

  it("says the same as the commands", async () => {
    const name = `${page.facts.registryHost}/release/app:1.4`;
    const root = [
      "--trusted-root",
      page.facts.files.trustedRoot,
      "--policy",
      page.policy,
      "--json",
    ];
    const [tree, verdict] = await Promise.all(
      [page.trivet("signing", "tree", name, ...root), page.trivet("verify", name, ...root)].map(
        async ({ ended }) => JSON.parse((await ended).stdout) as Record<string, unknown>,
      ),
    );
    expect(tree?.["verdict"]).toEqual(verdict);
    const shown = (await user.page.evaluate(
      `fetch("/api/image", {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer " + sessionStorage.getItem("token") },
        body: JSON.stringify({ image: ${JSON.stringify(`${image.registry}/${image.path}@${image.digest}`)}, name: ${JSON.stringify(name)} }),
      }).then((response) => response.json())`,
    )) as { tree: unknown; verdict: unknown };
    expect(shown.verdict).toEqual(verdict);
    expect({ ...(shown.tree as object), verdict }).toEqual(tree);
  });

  it("leads from a policy to what counted for it", async () => {
    await user.page.click(".verdict .link");
    const [open, focused] = (await user.page.evaluate(
      `[[...document.querySelectorAll("details[open]")].map(({ innerText }) => innerText).join(),
        document.activeElement.innerText]`,
    )) as [string, string];
    expect(open).toContain("identity confirmed by");
    expect(focused).toContain("by release@example.com");
    await user.page.keyboard.press("Enter");
    expect(await user.sees("details[open]")).toBe(false);
  });

  it("explains the certificate, the log entry and its proof", async () => {
    await user.page.click(".tree > li:nth-child(2) summary");
    const open = await user.text(".tree > li:nth-child(2)");
    for (const part of [
      "by ci@example.com (identity confirmed by",
      "entry 1 of the log",
      "with a signed promise and a proof of inclusion in 2 entries with the root",
      "from CN=local certificate authority, O=trivet.local, valid from",
    ]) {
      expect(open).toContain(part);
    }
  });

  it("is accessible in light and dark, and on a phone", async () => {
    await user.page.evaluate(axe);
    for (const width of [1280, 390]) {
      await user.page.setViewport({ width, height: 900 });
      for (const value of ["light", "dark"]) {
        await user.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
        expect(await user.accessibilityProblems()).toEqual([]);
        const scrolls: unknown = await user.page.evaluate(
          "document.documentElement.scrollWidth > innerWidth",
        );
        expect(scrolls).toBe(false);
      }
    }
    await user.page.setViewport({ width: 1280, height: 900 });
    await picture("light");
  });

  /** Updates a picture in the guide, if it is asked for. */
  async function picture(scheme: "light" | "dark"): Promise<void> {
    if (process.env["PICTURES"] === undefined) return;
    await user.page.setViewport({ width: 1280, height: 1100 });
    await user.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await user.page.evaluate("document.activeElement?.blur(); scrollTo(0, 0)");
    await user.page.screenshot({ path: join(pictures, `local-signing-${scheme}.png`) });
    await user.page.setViewport({ width: 1280, height: 900 });
  }

  it("keeps what is open, and the focus, when something changes", async () => {
    await user.page.focus(".tree > li:nth-child(2) summary");
    await page.sign(image, "eve@example.com", "bundle");
    await user.waitForText("#content", "by eve@example.com");
    const [open, focused] = (await user.page.evaluate(
      `[document.querySelectorAll("details[open]").length,
        document.activeElement.closest("details").innerText]`,
    )) as [number, string];
    expect(open).toBe(1);
    expect(focused).toContain("by ci@example.com");
  });

  it("shows the images of an index, each with its own verdict", async () => {
    const index = await page.pushIndex("release/app", "multi", { "linux/arm64": image });
    await user.waitForText("#images", "release/app:multi");
    await user.press(`release/app:multi ${index.digest.slice(0, 19)}`);
    await user.waitForText("#content", "linux/arm64");
    await user.waitForText(".verdict", "is refused REFUSED");
    await user.press(`Show linux/arm64 ${image.digest}`);
    await user.waitForText(".verdict", "is accepted ACCEPTED");
  });

  it("shows the entries of the log with their proofs, and is used with the keyboard alone", async () => {
    const focused = () => user.page.evaluate(`document.activeElement.closest("button")?.innerText`);
    await user.page.evaluate("document.activeElement?.blur()");
    for (let step = 0; step < 60; step += 1) {
      if (String(await focused()).startsWith("Version 1 of the log")) break;
      await user.page.keyboard.press("Tab");
    }
    await user.page.keyboard.press("Enter");
    await user.waitForText("#detail-title", "Version 1 of the log");
    await user.waitForText("#content", "4 entries, the newest first.");
    await user.page.keyboard.press("Tab");
    await user.page.keyboard.press("Enter");
    await user.waitForText("#content", "a proof of inclusion in 4 entries");
    const text = await user.text("#content");
    expect(text).toContain("by eve@example.com");
    expect(await user.accessibilityProblems()).toEqual([]);
    await picture("dark");
  });

  it("shows what others have written as text", async () => {
    const hostile = "<img src=x onerror=alert(1)>\u202e\u001b[31m";
    const subject = {
      mediaType: "application/vnd.oci.image.manifest.v1+json",
      digest: image.digest,
      size: 1,
    };
    await page.push("release/app", "attached", { subject, artifactType: hostile });
    await page.push("release/app", "broken", { annotations: { [hostile]: hostile } });
    await user.press(`release/app:1.4 ${image.digest.slice(0, 19)}`);
    await user.waitForText("#content", "<img src=x onerror=alert(1)>\\u202e\\u001b[31m");
    expect(await user.page.evaluate("document.images.length")).toBe(0);
    expect(await user.text("#images")).not.toContain("attached");
  });

  it("connects to nothing but its server, and breaks none of its own rules", () => {
    const { origin } = new URL(user.page.url());
    const others = requests
      .map((request) => request.url())
      .filter((url) => !url.startsWith(origin) && !url.startsWith("data:"));
    expect(others).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("is complete in the npm package", () => {
    expectPacked(user.page, requests, "signing/page/browser/");
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
        fetch("${url.origin}/api/image", { method: "POST", mode: "no-cors", body: "{}" })
          .then(({ type }) => type, () => "refused"),
      ])`,
    );
    expect(attempts).toEqual(["refused", "refused"]);
    await tab.close();
    other.close();
    const stranger = new PageUser(await browser.newPage());
    await stranger.page.goto(url.origin);
    await stranger.waitForText("#failure", "Open the address that the command printed");
    await stranger.page.close();
  });
});
