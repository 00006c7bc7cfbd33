import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { root } from "../page";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

/** The site of `npm run docs`, as a server of files on this machine. */
export class BuiltSite {
  readonly folder = mkdtempSync(join(tmpdir(), "trivet-site-"));
  #server: Server | undefined;

  async start(): Promise<void> {
    const script = join(root, "scripts", "docs.mjs");
    await promisify(execFile)(process.execPath, [script, "--output", this.folder], { cwd: root });
    const files = new Set(this.files());
    this.#server = createServer(({ url = "/" }, response) => {
      const path = decodeURIComponent(url.split(/[?#]/, 1)[0] ?? "/").slice(1);
      const found = [path, `${path}.html`, `${path}index.html`].find((each) => files.has(each));
      const type = types[extname(found ?? "")] ?? "application/octet-stream";
      response.writeHead(found === undefined ? 404 : 200, { "content-type": type });
      response.end(found === undefined ? "" : readFileSync(join(this.folder, found)));
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, "127.0.0.1", resolve));
  }

  get url(): string {
    const { port } = this.#server?.address() as AddressInfo;
    return `http://127.0.0.1:${port}/`;
  }

  /** The paths of the files, or of those with an ending. */
  files(ending = ""): readonly string[] {
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && each.name.endsWith(ending))
      .map((each) => join(each.parentPath, each.name).slice(this.folder.length + 1));
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
