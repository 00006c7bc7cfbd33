import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, launch } from "puppeteer-core";
import { onPath } from "../../on-path";

let browser: Browser | undefined;
let folder: string | undefined;

afterAll(async () => {
  await browser?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** A browser without a window, until the end of the test file. Fails if this machine cannot run one. */
export async function startBrowser(): Promise<Browser> {
  const found = onPath("chromium", "chromium-browser", "google-chrome-stable", "google-chrome");
  const { path, env } = found === undefined ? unpacked() : { path: found, env: {} };
  try {
    browser = await launch({
      executablePath: path,
      // The sandbox needs rights that root in a container does not have. Only our own page is opened.
      args: ["--no-sandbox", "--disable-dev-shm-usage"],
      env: { ...process.env, ...env },
      headless: "shell",
    });
    return browser;
  } catch (cause) {
    throw new Error(
      `The tests of the page need a browser, but ${path} does not start. Install Chromium, and put it on PATH.`,
      { cause },
    );
  }
}

/**
 * Unpacks the Chromium that a development dependency ships. With this variable, it unpacks the
 * libraries and fonts as well, which a fresh machine may not have.
 */
function unpacked(): { readonly path: string; readonly env: NodeJS.ProcessEnv } {
  folder ??= mkdtempSync(join(tmpdir(), "trivet-e2e-browser-"));
  const script = `import("@sparticuz/chromium").then(async ({ default: chromium }) => {
    const path = await chromium.executablePath();
    const { LD_LIBRARY_PATH, FONTCONFIG_PATH } = process.env;
    console.log(JSON.stringify({ path, env: { LD_LIBRARY_PATH, FONTCONFIG_PATH } }));
  });`;
  const printed = execFileSync(process.execPath, ["-e", script], {
    cwd: __dirname,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
  });
  useOwnFonts(join(folder, "fonts", "fonts.conf"), folder);
  return JSON.parse(printed) as ReturnType<typeof unpacked>;
}

/** The shipped configuration looks for the fonts in /tmp. The browser crashes if it finds none. */
function useOwnFonts(configuration: string, unpackedTo: string): void {
  const shipped = readFileSync(configuration, "utf8");
  writeFileSync(configuration, shipped.replaceAll("/tmp/", `${unpackedTo}/`));
}
