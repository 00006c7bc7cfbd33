import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, launch } from "puppeteer-core";
import { onPath } from "../../on-path";
import { isNewer, root } from "./build";
import { onlyOnce } from "./only-once";

let browser: Browser | undefined;

afterAll(() => browser?.close());

/** A browser without a window, until the end of the test file. Fails if this machine cannot run one. */
export async function startBrowser(): Promise<Browser> {
  const found = onPath("chromium", "chromium-browser", "google-chrome-stable", "google-chrome");
  const { path, env } = found === undefined ? await unpacked() : { path: found, env: {} };
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

interface Unpacked {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Unpacks the Chromium that a development dependency ships, for all test files. With the variable, it unpacks the
 * libraries and fonts as well, which a fresh machine may not have.
 */
async function unpacked(): Promise<Unpacked> {
  const folder = join(root, "dist", "browser");
  const facts = join(folder, "browser.json");
  const lock = join(root, "node_modules", ".trivet-browser");
  const isUnpacked = () => isNewer(facts, ["node_modules/@sparticuz/chromium/package.json"]);
  await onlyOnce(lock, isUnpacked, async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const script = `import("@sparticuz/chromium").then(async ({ default: chromium }) => {
      const path = await chromium.executablePath();
      const { LD_LIBRARY_PATH, FONTCONFIG_PATH } = process.env;
      console.log(JSON.stringify({ path, env: { LD_LIBRARY_PATH, FONTCONFIG_PATH } }));
    });`;
    const env = {
      PATH: process.env["PATH"],
      TMPDIR: folder,
      AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x",
    };
    const printed = execFileSync(process.execPath, ["-e", script], { cwd: __dirname, env });
    await useOwnFonts(join(folder, "fonts", "fonts.conf"), folder);
    await writeFile(facts, printed);
  });
  return JSON.parse(await readFile(facts, "utf8")) as Unpacked;
}

/** The shipped configuration looks for the fonts in /tmp. The browser crashes if it finds none. */
async function useOwnFonts(configuration: string, unpackedTo: string): Promise<void> {
  const shipped = await readFile(configuration, "utf8");
  await writeFile(configuration, shipped.replaceAll("/tmp/", `${unpackedTo}/`));
}
