import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answerEmpty } from "../../../../src/local/service/answer";
import { runLocalWorkspacePage } from "../../../../src/local/workspace/page/page-server";
import { openService } from "../../service/local-service";
import { temporaryFolder } from "../temporary-folder";

function options() {
  const base = temporaryFolder();
  const files = join(base, "files");
  mkdirSync(files);
  writeFileSync(join(files, "index.html"), "");
  const printed: string[] = [];
  const stop = new AbortController();
  return {
    printed,
    stop,
    settings: {
      files,
      platform: { template: join(base, "template"), stateFolder: join(base, "state") },
      stdout: { write: (text: string) => printed.push(text) },
      signal: stop.signal,
    },
  };
}

it("prints an address with a token, and serves until it is stopped", async () => {
  const { printed, stop, settings } = options();
  const written = new Promise<void>((resolve) => {
    const { stdout } = settings;
    settings.stdout = { write: (text) => (resolve(), stdout.write(text)) };
  });
  const ended = runLocalWorkspacePage(settings);
  await written;
  const [, origin = ""] =
    /^(http:\/\/127\.0\.0\.1:\d+)\/#token=[\w-]{32}\n$/.exec(printed[0] ?? "") ?? [];
  expect((await fetch(origin)).status).toBe(200);
  stop.abort();
  await ended;
  await expect(fetch(origin)).rejects.toThrow();
});

it("reports a port that is in use", async () => {
  const { port } = await openService((_, response) => answerEmpty(response, 204));
  await expect(runLocalWorkspacePage({ ...options().settings, port })).rejects.toMatchObject({
    code: "PORT",
    message: `Port ${port} is already in use.`,
  });
});

it("refuses a folder for state inside the template before it serves anything", async () => {
  const { printed, settings } = options();
  const { template } = settings.platform;
  const platform = { template, stateFolder: join(template, "state") };
  await expect(runLocalWorkspacePage({ ...settings, platform })).rejects.toMatchObject({
    code: "FOLDER",
  });
  expect(printed).toEqual([]);
});
