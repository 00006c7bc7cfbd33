import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  runtimeNotice,
  runtimes as table,
  runtimeStore,
  runtimeVersion,
} from "../../../../src/cli/provider-package/compiled/runtime-store";
import { terraformPlatform } from "../../../../src/cli/package/platform";
import { temporaryFolder } from "../../temporary-folder";
import { closeAfterTest } from "../../../core/http/close-after-test";
import { tarball } from "./tarball";

const host = terraformPlatform();
const digestOf = (file: string): string =>
  createHash("sha256").update(readFileSync(file)).digest("hex");

/** A registry whose packages have other content. Returns the settings with which npm uses it. */
async function startRegistry(): Promise<{ env: NodeJS.ProcessEnv; requests: string[] }> {
  const requests: string[] = [];
  const npmPackage = table.get(host)?.npmPackage ?? "";
  const archive = tarball({
    "package/package.json": JSON.stringify({ name: npmPackage, version: runtimeVersion }),
    "package/bin/bun": "#!/bin/sh\necho something else\n",
  });
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    if (request.url?.endsWith(".tgz") === true) response.end(archive);
    else {
      const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
      const dist = { tarball: `${origin}/bun.tgz`, integrity };
      const version = { name: npmPackage, version: runtimeVersion, dist };
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({
          name: npmPackage,
          "dist-tags": { latest: runtimeVersion },
          versions: { [runtimeVersion]: version },
        }),
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeAfterTest(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  const { port } = server.address() as AddressInfo;
  return { env: npmSettings(`http://127.0.0.1:${port}/`), requests };
}

function npmSettings(registry: string): NodeJS.ProcessEnv {
  const { PATH } = process.env;
  const folder = temporaryFolder();
  return {
    PATH,
    HOME: folder,
    npm_config_cache: join(folder, "cache"),
    npm_config_registry: registry,
    npm_config_fetch_retries: "0",
  };
}

test("a runtime is downloaded once, and again if somebody has changed it", async () => {
  const folder = temporaryFolder();
  const store = runtimeStore(folder);
  const file = await store.runtime(host);
  const digest = table.get(host)?.digest;
  expect(digestOf(file)).toBe(digest);
  // Without a registry, only the kept file can be used.
  const offline = runtimeStore(folder, npmSettings("http://127.0.0.1:9/"));
  expect(await offline.runtime(host)).toBe(file);
  writeFileSync(file, "changed");
  await expect(offline.runtime(host)).rejects.toThrow(
    /^npm cannot download @oven\/bun-.*\nnpm error /,
  );
  expect(await store.runtime(host)).toBe(file);
  expect(digestOf(file)).toBe(digest);
  expect(readdirSync(folder)).toHaveLength(1);
});

test("what Bun says about its licences is that of the version", async () => {
  const folder = temporaryFolder();
  const file = await runtimeStore(folder).notice();
  expect(digestOf(file)).toBe(runtimeNotice.digest);
  const offline = runtimeStore(folder, npmSettings("http://127.0.0.1:9/"));
  expect(await offline.notice()).toBe(file);
});

test("a runtime with other content than the expected one is not used, whatever the registry says", async () => {
  const folder = temporaryFolder();
  const { env, requests } = await startRegistry();
  await expect(runtimeStore(folder, env).runtime(host)).rejects.toThrow(
    /from npm's registry has the SHA-256 digest [\da-f]{64}, not [\da-f]{64}\. It was not used\./,
  );
  expect(requests).toContain("/bun.tgz");
  expect(readdirSync(folder)).toEqual([]);
});
