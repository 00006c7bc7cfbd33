import { execFileSync } from "node:child_process";
import type { HTTPRequest, Page } from "puppeteer-core";
import { packedTarball } from "../../packed/packed-project";

/**
 * Expects that the npm package has all files that a page has loaded. Returns the list of the package's files.
 *
 * @param folder the folder of the page's own files in `dist/src/local`, with a slash at its end
 */
export function expectPacked(page: Page, requests: readonly HTTPRequest[], folder: string): string {
  const packed = execFileSync("tar", ["-tzf", packedTarball()], { encoding: "utf8" });
  const { origin } = new URL(page.url());
  const loaded = requests
    .map((request) => request.url())
    .filter((url) => /\.(?:js|css)$/.test(url));
  expect(loaded.length).toBeGreaterThan(5);
  for (const url of [`${origin}/index.html`, ...loaded]) {
    const path = url.slice(origin.length + 1);
    const own = path.startsWith("service/") ? "" : folder;
    expect(packed).toContain(`dist/src/local/${own}${path}\n`);
  }
  return packed;
}
