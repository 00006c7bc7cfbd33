import { chmod, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startService, type Service } from "../../../../../src/local/service/service";
import {
  publicInstanceTarget,
  publicInstanceTrust,
} from "../../../../../src/core/signing/sigstore/trust/public-instance";
import { loadTrust } from "../../../../../src/core/signing/sigstore/trust/load-trust";
import {
  type TrustError,
  isTrustError,
} from "../../../../../src/core/signing/sigstore/trust/trusted-root";
import { Authorities } from "../verification/authorities";
import { TufKey, TufRepository } from "./tuf-repository";

const world = new Authorities();
const trustedRoot = JSON.stringify(world.trustedRoot());
const name = "signing_config_rekor_v2.v0.2.json";

let folder = "";
let repository = new TufRepository();
let asked: string[] = [];
let behaviour: "serve" | "fail" | "silent" = "serve";
let mirror: Service;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-tuf-"));
  repository = new TufRepository();
  asked = [];
  behaviour = "serve";
  mirror = await startService((request, response) => {
    const path = (request.url ?? "").replace(/^\/mirror\//, "");
    asked.push(path);
    if (behaviour === "silent") return;
    const file = behaviour === "serve" ? repository.files.get(path) : undefined;
    const refusal = behaviour === "fail" ? 500 : 404;
    response.writeHead(file ? 200 : refusal).end(file);
  });
  await writeFile(join(folder, "root.json"), repository.root);
});

afterEach(async () => {
  await mirror.close();
  await rm(folder, { recursive: true });
});

const environment = () => ({
  TUF_MIRROR: `${mirror.url}/mirror/`,
  TUF_ROOT_JSON: join(folder, "root.json"),
  TUF_ROOT: join(folder, "cache"),
});
const fetchTarget = (
  changes: Readonly<Record<string, string>> = {},
  { signal } = new AbortController(),
) => publicInstanceTarget(name, { ...environment(), ...changes }, signal);

async function failure(work: Promise<unknown>): Promise<TrustError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (isTrustError(error)) return error;
  throw new Error(`not a TrustError: ${String(error)}`);
}

const allButDate = [
  "hrtime",
  "nextTick",
  "performance",
  "queueMicrotask",
  "setImmediate",
  "clearImmediate",
  "setInterval",
  "clearInterval",
  "setTimeout",
  "clearTimeout",
] as const;

/** As if the last fetch were long ago. */
async function age(): Promise<void> {
  const kept = join(folder, "cache", "trivet", "tuf");
  const [root = ""] = await readdir(kept);
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  await utimes(join(kept, root, "refreshed"), yesterday, yesterday);
}

test("a mirror that never answers is given up when the time is over", async () => {
  behaviour = "silent";
  const controller = new AbortController();
  const fetching = failure(fetchTarget({}, controller));
  setTimeout(() => {
    controller.abort();
  }, 200);
  expect((await fetching).message).toMatch(
    /^signing_config_rekor_v2\.v0\.2\.json of the mirror in TUF_MIRROR could not be fetched: .*timed out .*set trusted_root/,
  );
});

test("the trusted root and the signing config are fetched from a mirror, verified and kept", async () => {
  repository.publish({ targets: { "trusted_root.json": trustedRoot, [name]: "config" } });
  const trust = await publicInstanceTrust(environment(), new AbortController().signal);
  expect(trust.transparencyLogs[0]?.id).toEqual(world.logKey.id);
  expect(asked).toContain("timestamp.json");
  const { mode } = await stat(join(folder, "cache"));
  expect(mode & 0o077).toBe(0);

  asked = [];
  expect(await fetchTarget()).toBe("config");
  // Only the file itself, which was not needed before.
  expect(asked.filter((path) => !path.startsWith("targets/"))).toEqual([]);
  asked = [];
  expect(await fetchTarget()).toBe("config");
  expect(asked).toEqual([]);
});

test("the variables of the environment say where, with what root, and where it is kept", async () => {
  repository.publish({ targets: { "trusted_root.json": trustedRoot } });
  const { signal } = new AbortController();
  const trust = await loadTrust({ environment: environment(), signal });
  expect(trust.transparencyLogs[0]?.id).toEqual(world.logKey.id);
  expect((await stat(join(folder, "cache"))).isDirectory()).toBe(true);
});

test("what is kept is fetched again after a day", async () => {
  repository.publish({ targets: { [name]: "old" } });
  expect(await fetchTarget()).toBe("old");
  repository.publish({ targets: { [name]: "new" }, version: 2 });
  expect(await fetchTarget()).toBe("old");
  await age();
  expect(await fetchTarget()).toBe("new");
});

test("what is kept is fetched again when it has expired, within the day", async () => {
  const hourMs = 3_600_000;
  repository.publish({ targets: { [name]: "old" }, expires: new Date(Date.now() + hourMs) });
  expect(await fetchTarget()).toBe("old");
  repository.publish({ targets: { [name]: "new" }, version: 2 });
  expect(await fetchTarget()).toBe("old");
  jest.useFakeTimers({ now: Date.now() + 2 * hourMs, doNotFake: [...allButDate] });
  try {
    expect(await fetchTarget()).toBe("new");
  } finally {
    jest.useRealTimers();
  }
});

test("a file that is new, or was damaged where it is kept, is fetched within the day", async () => {
  repository.publish({ targets: { "trusted_root.json": trustedRoot } });
  await publicInstanceTrust(environment(), new AbortController().signal);
  const targets = { "trusted_root.json": trustedRoot, [name]: "new" };
  repository.publish({ targets, version: 2 });
  expect(await fetchTarget()).toBe("new");
  const kept = join(folder, "cache", "trivet", "tuf");
  const files = await readdir(kept, { recursive: true });
  const snapshot = files.find((file) => file.endsWith("snapshot.json")) ?? "";
  await writeFile(join(kept, snapshot), "{");
  expect(await fetchTarget()).toBe("new");
});

test("what is kept serves without a network, until it expires", async () => {
  repository.publish({ targets: { [name]: "kept" } });
  expect(await fetchTarget()).toBe("kept");
  await age();
  behaviour = "fail";
  expect(await fetchTarget()).toBe("kept");
});

test("what does not verify is refused, also when something older is kept", async () => {
  repository.publish({ targets: { [name]: "kept" } });
  expect(await fetchTarget()).toBe("kept");
  await age();
  repository.publish({ targets: { [name]: "forged" }, version: 2, key: new TufKey() });
  expect((await failure(fetchTarget())).code).toBe("PUBLIC_INSTANCE");
  // An older state.
  repository.publish({ targets: { [name]: "x" }, version: 2 });
  expect(await fetchTarget()).toBe("x");
  await age();
  repository.publish({ targets: { [name]: "older" }, version: 1 });
  expect((await failure(fetchTarget())).code).toBe("PUBLIC_INSTANCE");
});

test("a file with another content than the metadata says is refused", async () => {
  repository.publish({ targets: { [name]: "content" } });
  for (const [path, bytes] of repository.files) {
    if (path.startsWith("targets/"))
      repository.files.set(path, Buffer.from(`x${bytes.toString()}`));
  }
  expect((await failure(fetchTarget())).code).toBe("PUBLIC_INSTANCE");
});

test("what another root has vouched for is not used", async () => {
  repository.publish({ targets: { [name]: "kept" } });
  expect(await fetchTarget()).toBe("kept");
  await writeFile(join(folder, "root.json"), new TufRepository().root);
  expect((await failure(fetchTarget())).code).toBe("PUBLIC_INSTANCE");
});

test("a folder that others can write to is not used", async () => {
  repository.publish({ targets: { [name]: "kept" } });
  expect(await fetchTarget()).toBe("kept");
  const kept = join(folder, "cache", "trivet", "tuf");
  const [root = ""] = await readdir(kept);
  await chmod(join(kept, root), 0o777);
  expect((await failure(fetchTarget())).message).toContain("is writable by other users");
});

test("a folder of another user is not used", async () => {
  repository.publish({ targets: { [name]: "kept" } });
  const { uid } = await stat(folder);
  const user = jest.spyOn(process, "getuid").mockReturnValue(uid + 1);
  try {
    expect((await failure(fetchTarget())).message).toContain("is writable by other users");
  } finally {
    user.mockRestore();
  }
});

test.each([
  ["a mirror without a root", { TUF_ROOT_JSON: "" }, "TUF_MIRROR needs TUF_ROOT_JSON"],
  ["a mirror elsewhere without TLS", { TUF_MIRROR: "http://example.com" }, "must be an https URL"],
  ["a root that is not there", { TUF_ROOT_JSON: "/nowhere/root.json" }, "it does not exist"],
])("%s is refused in words", async (_, changes, message) => {
  const error = await failure(fetchTarget(changes));
  expect([error.code, error.message]).toEqual([
    "PUBLIC_INSTANCE",
    expect.stringContaining(message),
  ]);
  expect(asked).toEqual([]);
});

test("without a mirror, a failure names the public instance", async () => {
  // A file, so that nothing is fetched.
  const variables = { TUF_MIRROR: "", TUF_ROOT_JSON: "", TUF_ROOT: join(folder, "root.json") };
  expect((await failure(fetchTarget(variables))).message).toMatch(
    /^signing_config_rekor_v2\.v0\.2\.json of the public instance could not be fetched: /,
  );
});

test("a mirror that is too large, or does not know the file, is refused", async () => {
  repository.publish({ targets: {} });
  expect((await failure(fetchTarget())).message).toContain("not found");
  repository.files.set("timestamp.json", Buffer.alloc(1_000_000, 32));
  expect((await failure(fetchTarget())).message).toMatch(/length|Max/i);
});
