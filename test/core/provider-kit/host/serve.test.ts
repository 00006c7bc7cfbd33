import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";

import { createCertificate } from "../../../../src/core/provider-kit/host/connection/certificate";
import {
  type SpawnedProvider,
  spawnProvider,
  terraformEnvironment,
} from "../../../../src/core/provider-kit/testing/spawn-provider";
import { until } from "../../../until";
import { type Fixture, buildFixture, firstOutput, forms } from "./fixture";

describe.each(forms)("a provider %s", (form) => {
  let fixture: Fixture;
  const running: SpawnedProvider[] = [];

  beforeAll(async () => {
    fixture = await buildFixture(form);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((provider) => provider.close()));
  });
  afterAll(() => {
    fixture.remove();
  });

  async function start(env: Record<string, string | undefined> = {}): Promise<SpawnedProvider> {
    const provider = await spawnProvider(fixture.command, { ...fixture.env, ...env });
    running.push(provider);
    return provider;
  }

  /** Runs the fixture until it ends on its own. */
  function run(args: readonly string[], env: Record<string, string | undefined> = {}) {
    const [executable, ...before] = fixture.command;
    const { status, stdout, stderr } = spawnSync(executable, [...before, ...args], {
      encoding: "utf8",
      env: { ...process.env, ...fixture.env, ...env },
    });
    return { status, stdout, stderr };
  }

  /** The socket folders that still exist. */
  function socketFolders(): string[] {
    return readdirSync(fixture.socketFolder).filter((name) => name.startsWith("tfp-"));
  }

  describe("run by hand", () => {
    test("prints its purpose and how to use it", () => {
      const { status, stdout, stderr } = run([]);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toContain("terraform-provider-fixture 1.2.3");
      expect(stderr).toContain("This is a Terraform provider.");
      expect(stderr).toContain('source  = "trivet.local/trivet/fixture"');
    });

    test.each(["--help", "-h"])("prints its help with %s", (option) => {
      const { status, stdout, stderr } = run([option]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout).toContain("This is a Terraform provider.");
    });

    test("prints its version", () => {
      expect(run(["--version"])).toEqual({
        status: 0,
        stdout: "terraform-provider-fixture 1.2.3\n",
        stderr: "",
      });
    });

    test.each([
      ["the protocol is too old", { PLUGIN_PROTOCOL_VERSIONS: "5" }, /version 6 .*"5"/],
      ["no client certificate is set", { PLUGIN_CLIENT_CERT: "" }, /TF_DISABLE_PLUGIN_TLS=1/],
      [
        "the client certificate is invalid",
        { PLUGIN_CLIENT_CERT: "x" },
        /must contain a certificate in PEM format/,
      ],
      [
        "no socket can be created",
        { PLUGIN_UNIX_SOCKET_DIR: "/nowhere" },
        /No folder for a socket can be created in \/nowhere \(ENOENT\)\. Set PLUGIN_UNIX_SOCKET_DIR/,
      ],
    ])("refuses when %s, in one line that Terraform shows", (_name, change, text) => {
      const env = { ...terraformEnvironment(createCertificate()), ...change };
      const { status, stdout, stderr } = run([], env);
      expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
      expect(stdout).toMatch(text);
      expect(stdout).toMatch(/^The fixture provider cannot start\. .*\n$/);
    });
  });

  describe("started by Terraform", () => {
    test("completes the handshake, responds, and exits immediately at shutdown", async () => {
      const provider = await start();
      expect(provider.handshake.network).toBe("unix");
      expect(provider.handshake.serverCertificate?.byteLength).toBeGreaterThan(300);
      expect(await provider.getMetadata({})).toMatchObject({
        serverCapabilities: { planDestroy: true },
      });
      const streams = ["/plugin.GRPCStdio/StreamStdio", "/plugin.GRPCBroker/StartStream"];
      for (const path of streams) {
        const messages = provider.grpc.serverStream(path, new Uint8Array(0));
        messages[Symbol.asyncIterator]()
          .next()
          .catch(() => undefined);
      }
      const pending = provider.configureProvider({}).catch((error: unknown) => error);
      await provider.shutdown();
      expect(existsSync(provider.handshake.address)).toBe(false);
      expect(await provider.exited).toEqual({ code: 0, signal: null });
      expect(await pending).toMatchObject({ code: "UNAVAILABLE" });
      expect(existsSync(dirname(provider.handshake.address))).toBe(false);
      expect(provider.stderr()).toBe("");
    });

    test("is healthy", async () => {
      const { grpc } = await start();
      const answer = await grpc.unary("/grpc.health.v1.Health/Check", new Uint8Array(0));
      expect([...answer]).toEqual([8, 1]);
    });

    test("works without TLS if Terraform does", async () => {
      const provider = await start({ PLUGIN_CLIENT_CERT: undefined, TF_DISABLE_PLUGIN_TLS: "1" });
      expect(provider.handshake.serverCertificate).toBeUndefined();
      expect(await provider.stopProvider({})).toEqual({ error: "" });
    });

    test("finds a folder for its socket if the temporary folder's path is too long", async () => {
      const deep = join(fixture.socketFolder, "d".repeat(90));
      mkdirSync(deep);
      const provider = await start({ PLUGIN_UNIX_SOCKET_DIR: undefined, TMPDIR: deep });
      expect(provider.handshake.address).toMatch(/^\/tmp\//);
      await provider.shutdown();
      await provider.exited;
      expect(existsSync(dirname(provider.handshake.address))).toBe(false);
    });

    test("leaves an interrupt to Terraform", async () => {
      const provider = await start();
      await provider.getMetadata({});
      provider.process.kill("SIGINT");
      expect(await provider.stopProvider({})).toEqual({ error: "" });
    });

    test.each(["SIGTERM", "SIGHUP"] as const)("ends cleanly on %s", async (signal) => {
      const provider = await start();
      await provider.getMetadata({});
      provider.process.kill(signal);
      expect(await provider.exited).toEqual({ code: 0, signal: null });
      expect(existsSync(dirname(provider.handshake.address))).toBe(false);
    });

    test("ends when the last connection is closed", async () => {
      const provider = await start();
      await provider.getMetadata({});
      provider.grpc.close();
      expect(await provider.exited).toEqual({ code: 0, signal: null });
    });

    test("does not outlive a killed parent", async () => {
      const parent = spawn(
        process.execPath,
        [await fixture.bundle("fixture-parent"), ...fixture.command],
        { env: { ...process.env, ...fixture.env }, stdio: ["pipe", "pipe", "inherit"] },
      );
      const folder = dirname(await firstOutput(parent));
      expect(existsSync(folder)).toBe(true);
      parent.kill("SIGKILL");
      await until(() => !existsSync(folder));
    });

    test("continues after invalid data on its socket", async () => {
      const provider = await start();
      const stray = connect(provider.handshake.address);
      stray.on("error", () => undefined);
      stray.write(Buffer.alloc(4096, "garbage "));
      await new Promise((resolve) => stray.resume().once("close", resolve));
      expect(await provider.stopProvider({})).toEqual({ error: "" });
    });
  });

  describe("standard output and log", () => {
    test("keeps stray output and secrets out of stdout and logs", async () => {
      const provider = await start({ TF_LOG: "trace" });
      const stdout: Buffer[] = [];
      provider.process.stdout.on("data", (piece: Buffer) => stdout.push(piece));
      await expect(provider.validateProviderConfig({})).rejects.toMatchObject({
        code: "INTERNAL",
        message: expect.not.stringContaining("s3cr3t") as string,
      });
      await provider.shutdown();
      await provider.exited;
      const messages = provider
        .stderr()
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as Record<string, unknown>)["@message"]);
      expect(messages).toEqual([
        "a stray line",
        "another stray line",
        "the secret is ***",
        "A call failed unexpectedly",
      ]);
      expect(provider.stderr()).not.toMatch(/s3cr3t-value|hunter2|abc/);
      expect(Buffer.concat(stdout).toString()).toBe("");
    });

    test("prints nothing when no log level is set", async () => {
      const provider = await start();
      await expect(provider.validateProviderConfig({})).rejects.toThrow();
      await provider.shutdown();
      await provider.exited;
      expect(provider.stderr()).toBe("");
    });
  });

  describe("a bug", () => {
    test("ends the process with a stack that Terraform shows", async () => {
      const provider = await start({ FIXTURE: "crash" });
      await provider.getProviderSchema({}).catch(() => undefined);
      expect(await provider.exited).toEqual({ code: 2, signal: null });
      const [first, second, third, fourth] = provider.stderr().split("\n");
      expect(first).toMatch(/^panic: terraform-provider-fixture 1\.2\.3 ended/);
      expect(second).toMatch(/bug in the provider/);
      expect(third).toBe("TypeError: nobody catches this");
      expect(fourth).toMatch(/^ {4}at /);
      expect(existsSync(dirname(provider.handshake.address))).toBe(false);
    });

    test("that calls process.exit is reported the same way", async () => {
      const provider = await start({ FIXTURE: "exit" });
      await provider.getProviderSchema({}).catch(() => undefined);
      expect(await provider.exited).toEqual({ code: 2, signal: null });
      expect(provider.stderr()).toMatch(/^panic: .*\n.*\nError: process\.exit\(3\) was called\n/);
    });

    test("while the calls are created is reported the same way", async () => {
      const provider = await start({ FIXTURE: "no-routes" });
      expect(await provider.exited).toEqual({ code: 2, signal: null });
      expect(provider.stderr()).toContain("Error: the routes could not be made");
    });

    test("leaves no sockets behind", () => {
      expect(socketFolders()).toEqual([]);
    });
  });
});
