import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildEvent } from "../../../../src/local/workspace/page/page-data";
import { type Page, startPage } from "../../../../src/local/workspace/page/page-server";
import { closeAfterTest } from "../../../core/http/close-after-test";
import { type Received, send, type Sent } from "../../service/local-service";
import { RecordingTerraform } from "../recording-terraform";
import { temporaryFolder } from "../temporary-folder";
import { buildEvents } from "./build-events";

/** A page of an empty template, and a Terraform that prints what it is told. */
export class PageScenario {
  readonly stateFolder: string;
  readonly terraform: RecordingTerraform;

  private constructor(
    readonly page: Page,
    { stateFolder, terraform }: Pick<PageScenario, "stateFolder" | "terraform">,
  ) {
    this.stateFolder = stateFolder;
    this.terraform = terraform;
  }

  static async open(binary?: string): Promise<PageScenario> {
    const base = temporaryFolder();
    const [template, files, stateFolder] = ["template", "files", "state"].map((name) =>
      join(base, name),
    ) as [string, string, string];
    mkdirSync(template);
    writeFileSync(join(template, "main.tf"), "");
    mkdirSync(files);
    writeFileSync(join(files, "index.html"), "<title>Page</title>");
    writeFileSync(join(files, "notes.txt"), "not served");
    const terraform = new RecordingTerraform(join(base, "bin"));
    const platform = { template, stateFolder, terraform: binary ?? terraform.binary };
    const page = await startPage({ platform, files });
    closeAfterTest(() => page.close());
    return new PageScenario(page, { stateFolder, terraform });
  }

  get origin(): string {
    return new URL(this.page.url).origin;
  }

  get headers(): Record<string, string> {
    const token = new URL(this.page.url).hash.slice("#token=".length);
    return { authorization: `Bearer ${token}`, "content-type": "application/json" };
  }

  /** Sends a request with the token. */
  ask(path: string, sent: Sent = {}): Promise<Received> {
    const headers = { ...this.headers, ...sent.headers };
    return send({ url: this.origin }, { ...sent, path, headers });
  }

  post(path: string, body: unknown): Promise<Received> {
    return this.ask(path, { method: "POST", body: JSON.stringify(body) });
  }

  /** Reads events up to the first one of a kind. */
  eventsUntil(kind: BuildEvent["kind"]): Promise<readonly BuildEvent[]> {
    return buildEvents(this.origin, this.headers, kind);
  }
}
