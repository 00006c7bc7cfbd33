import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../until";
import { root } from "../page";

/** The site of `npm run docs`, as a server of files on this machine. */
export class BuiltSite {
  readonly folder = mkdtempSync(join(tmpdir(), "trivet-site-"));
  #server: ChildProcess | undefined;
  #url = "";

  async start(): Promise<void> {
    const script = join(root, "scripts", "docs.mjs");
    const args = [script, "--output", this.folder, "--preview"];
    const server = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    this.#server = server;
    let output = "";
    const urlIn = (): string => /served at (http:\/\/127\.0\.0\.1:\d+\/)/.exec(output)?.[1] ?? "";
    for (const stream of [server.stdout, server.stderr]) {
      stream.on("data", (data: Buffer) => (output += data.toString()));
    }
    await until(() => urlIn() !== "" || server.exitCode !== null);
    this.#url = urlIn();
    if (this.#url === "") throw new Error(`the site was not built:\n${output}`);
  }

  get url(): string {
    return this.#url;
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
    this.#server?.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
