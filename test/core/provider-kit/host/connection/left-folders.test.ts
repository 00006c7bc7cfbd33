import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  bind,
  removeLeftFolders,
  socketName,
} from "../../../../../src/core/provider-kit/host/connection/address";
import { until } from "../../../../until";

const root = mkdtempSync(join(realpathSync(tmpdir()), "left-"));
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(root, { recursive: true });
});

const now = Date.now();
const makeOld = (folder: string, ageMs = 3_600_001): void => {
  const at = (now - ageMs) / 1000;
  utimesSync(folder, at, at);
};

/** A folder whose provider was killed; returns the name of its socket. */
async function leave(folder: string): Promise<string> {
  mkdirSync(folder);
  const listen =
    'require("node:net").createServer().listen(process.argv[1] + "/" + process.pid.toString(36), () => process.kill(process.pid, 9))';
  const child = spawn(process.execPath, ["-e", listen, folder], { stdio: "ignore" });
  await once(child, "close");
  makeOld(folder);
  return socketName(child.pid);
}

test("removes what killed providers have left, and nothing else", async () => {
  const within = mkdtempSync(join(root, "all-"));
  const path = (name: string): string => join(within, name);
  const gone = await leave(path("tfp-killed"));
  mkdirSync(path("tfp-empty1"));
  makeOld(path("tfp-empty1"));

  await leave(path("tfp-young1"));
  makeOld(path("tfp-young1"), 3_599_000);
  await leave(path("tfp-longer-name"));
  await leave(path("tfp-target.d"));
  symlinkSync("tfp-target.d", path("tfp-linked"));
  mkdirSync(path("tfp-filled"));
  writeFileSync(join(path("tfp-filled"), gone), "a file");
  makeOld(path("tfp-filled"));
  await leave(path("tfp-others"));
  writeFileSync(join(path("tfp-others"), "x"), "another file");
  makeOld(path("tfp-others"));
  for (const [name, socket] of [
    ["tfp-living", socketName()],
    ["tfp-listen", gone],
  ] as const) {
    mkdirSync(path(name));
    const server = createServer().listen(join(path(name), socket));
    servers.push(server);
    await once(server, "listening");
    makeOld(path(name));
  }

  const before = readdirSync(within);
  await removeLeftFolders(within, now);
  const after = readdirSync(within);
  expect(before.filter((name) => !after.includes(name))).toEqual(["tfp-empty1", "tfp-killed"]);
});

test("a provider that starts removes them", async () => {
  const within = mkdtempSync(join(root, "one-"));
  await leave(join(within, "tfp-killed"));
  const server = createServer();
  servers.push(server);
  const { address } = await bind(server, { PLUGIN_UNIX_SOCKET_DIR: within });
  await until(() => !existsSync(join(within, "tfp-killed")));
  expect(existsSync(address)).toBe(true);
});
