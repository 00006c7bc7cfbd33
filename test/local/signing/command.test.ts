import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LocalSigning } from "../../../src/local/signing/start-local-signing";
import { runLocalSigning, type RunLocalSigningOptions } from "../../../src/local/signing/command";
import { startService } from "../../../src/local/service/service";
import { openServices, temporaryFolder } from "./local-services";

it("prints the URLs, writes the files that other tools need, and stops cleanly", async () => {
  const folder = await temporaryFolder();
  const stop = new AbortController();
  let output = "";
  let isReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => (isReady = resolve));
  const running = runLocalSigning({
    folder,
    port: 0,
    referrersApi: false,
    email: "ada@example.com",
    stdout: {
      write: (text) => {
        output += text;
        isReady();
      },
    },
    stderr: { write: () => undefined },
    signal: stop.signal,
  });
  await Promise.race([ready, running]);
  const [, registry = ""] = /registry +(http:\S+)/.exec(output) ?? [];
  expect((await fetch(`${registry}/v2/`)).status).toBe(200);
  expect((await fetch(`${registry}/v2/a/referrers/sha256:${"0".repeat(64)}`)).status).toBe(404);
  const token = await readFile(`${folder}/identity-token`, "utf8");
  expect(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).toContain(
    '"email":"ada@example.com"',
  );
  const environment = await readFile(`${folder}/environment.sh`, "utf8");
  for (const name of ["ROOT_FILE", "CT_LOG_PUBLIC_KEY_FILE", "REKOR_PUBLIC_KEY", "ID_TOKEN"]) {
    expect(environment).toContain(`export SIGSTORE_${name}=`);
  }
  stop.abort();
  await running;
  await expect(fetch(`${registry}/v2/`)).rejects.toThrow();
});

describe("a page", () => {
  const page = { url: "http://127.0.0.1:1/#token=x", close: () => Promise.resolve() };

  async function run(openPage: RunLocalSigningOptions["openPage"], json = false): Promise<string> {
    const stop = new AbortController();
    let output = "";
    const write = (text: string): void => {
      output += text;
      stop.abort();
    };
    const stderr = { write: () => undefined };
    const folder = await temporaryFolder();
    const common = { folder, port: 0, stdout: { write }, stderr, signal: stop.signal };
    await runLocalSigning({ ...common, json, openPage });
    return output;
  }

  it("has its address printed, if there is one", async () => {
    const open = () => Promise.resolve(page);
    expect(await run(open)).toContain(`page: ${page.url}\nOpen this address in a browser.`);
    expect(JSON.parse(await run(open, true))).toMatchObject({ page: page.url });
    expect(await run(undefined)).not.toContain("page");
    expect(JSON.parse(await run(undefined, true))).not.toHaveProperty("page");
  });

  it("that cannot be opened stops the services", async () => {
    let registry = "";
    const open: RunLocalSigningOptions["openPage"] = ({ addresses }) => {
      registry = addresses.registry;
      return Promise.reject(new Error("no page"));
    };
    await expect(run(open)).rejects.toThrow("no page");
    await expect(fetch(`${registry}/v2/`)).rejects.toThrow();
  });
});

describe("a sample image", () => {
  /** Runs the services until `use` is done with what they have printed. */
  async function whileServing(
    folder: string,
    sampleImage: string | undefined,
    use: (facts: LocalSigning) => Promise<void>,
  ): Promise<void> {
    const stop = new AbortController();
    let running: Promise<void> = Promise.resolve();
    const printed = await new Promise<string>((resolve, reject) => {
      running = runLocalSigning({
        folder,
        sampleImage,
        port: 0,
        json: true,
        quiet: true,
        signal: stop.signal,
        stdout: { write: resolve },
        stderr: { write: () => undefined },
      });
      running.catch(reject);
    });
    try {
      await use(JSON.parse(printed) as LocalSigning);
    } finally {
      stop.abort();
      await running;
    }
  }

  const sha256 = (bytes: ArrayBuffer): string =>
    `sha256:${createHash("sha256").update(Buffer.from(bytes)).digest("hex")}`;

  it("is in the registry, complete, and the same in each run", async () => {
    const folder = await temporaryFolder();
    const seen: string[] = [];
    for (let run = 0; run < 2; run++) {
      await whileServing(folder, "build/app", async ({ addresses, registryHost, ...facts }) => {
        const of = (path: string) => fetch(`${addresses.registry}/v2/build/app/${path}`);
        const manifest = await of("manifests/sample");
        const digest = sha256(await manifest.clone().arrayBuffer());
        expect(facts.sampleImage).toBe(`${registryHost}/build/app@${digest}`);
        expect(await readFile(facts.files.sampleImage, "utf8")).toBe(facts.sampleImage);
        const { config, layers } = (await manifest.json()) as {
          config: { digest: string };
          layers: { digest: string }[];
        };
        for (const blob of [config, ...layers]) {
          const content = await of(`blobs/${blob.digest}`);
          expect(sha256(await content.arrayBuffer())).toBe(blob.digest);
        }
        seen.push(digest);
      });
    }
    expect(seen[1]).toBe(seen[0]);
    await whileServing(folder, undefined, async ({ files, sampleImage }) => {
      expect(sampleImage).toBeUndefined();
      await expect(readFile(files.sampleImage)).rejects.toThrow("ENOENT");
    });
  });

  it("needs a valid repository", async () => {
    const folder = await temporaryFolder();
    await expect(whileServing(folder, "../App", () => Promise.resolve())).rejects.toThrow(
      'The sample image cannot be in the repository "../App".',
    );
  });
});

/** Starts the services, which is expected to fail. If they do serve, they are stopped. */
async function failedStart(folder: string, port = 0): Promise<unknown> {
  const serving = new AbortController();
  const run = runLocalSigning({
    folder,
    port,
    signal: serving.signal,
    stdout: { write: () => serving.abort() },
    stderr: { write: () => undefined },
  });
  return run.then(
    () => "they serve",
    (failure: unknown) => failure,
  );
}

it.each([
  ["first", 0],
  ["last", 4],
])("explains what to do if the %s port is in use, and leaves no trace", async (_, index) => {
  const folder = await temporaryFolder();
  const other = await startService(() => undefined);
  const failure = await failedStart(join(folder, "new", "signing"), other.port - index);
  await other.close();
  expect(failure).toMatchObject({ code: "PORT", message: `Port ${other.port} is already in use.` });
  expect(await readdir(folder)).toEqual([]);
});

describe("in a git repository", () => {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", args, { cwd, encoding: "utf8" });
  const key = (folder: string) => readFile(join(folder, "keys", "ct-log.pem"), "utf8");

  /** A folder for the services in a new repository. */
  async function inRepository(): Promise<string> {
    const repository = await temporaryFolder();
    git(repository, "init", "--quiet");
    return join(repository, "project", ".trivet", "signing");
  }

  async function runOnce(folder: string): Promise<void> {
    const services = await openServices({ folder, port: 0 });
    await services.close();
  }

  it("git adds no key, even of a start that failed", async () => {
    const folder = await inRepository();
    await mkdir(join(folder, "keys"), { recursive: true });
    await writeFile(join(folder, "keys", "ct-log.pem"), "no key");
    expect(await failedStart(folder)).toHaveProperty("message");
    git(join(folder, "../.."), "add", "--all");
    expect(git(folder, "ls-files")).toBe("");
  });

  it("leaves the user's own .gitignore as it is", async () => {
    const folder = await inRepository();
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, ".gitignore"), "mine\n");
    await runOnce(folder);
    expect(await readFile(join(folder, ".gitignore"), "utf8")).toBe("mine\n");
    git(folder, "add", "--all");
    expect(git(folder, "ls-files", "keys")).toBe("");
  });

  it("refuses keys that are tracked, and makes new ones if they are removed as it says", async () => {
    const folder = await inRepository();
    await runOnce(folder);
    await runOnce(folder);
    const shared = await key(folder);
    git(folder, "add", "--force", "keys/ct-log.pem");
    const failure = await failedStart(folder);
    const command = `git rm -r --cached ${folder}`;
    expect(failure).toMatchObject({
      message: `A git repository contains keys in ${join(folder, "keys")}: everyone with a copy of it can sign with them.`,
      advice: `To get new keys, delete the folder ${folder} and run \`${command}\`.`,
    });
    expect(await key(folder)).toBe(shared);
    await rm(folder, { recursive: true });
    // New keys in their place would be committed with the next change.
    expect(await failedStart(folder)).toHaveProperty("advice", expect.stringContaining(command));
    git(dirname(dirname(folder)), ...command.split(" ").slice(1));
    await runOnce(folder);
    expect(await key(folder)).not.toBe(shared);
  });
});
