import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";

import { createProviderClient } from "../../../../src/core/provider-kit/testing/provider-client";
import { createGrpcClient } from "../../../../src/core/provider-kit/wire/grpc/grpc-client";
import { type Fixture, buildFixture, firstOutput, forms } from "./fixture";

describe.each(forms)("a warm provider %s", (form) => {
  let fixture: Fixture;
  let child: ChildProcessWithoutNullStreams;

  beforeAll(async () => {
    fixture = await buildFixture(form);
  });
  afterEach(() => void child.kill("SIGKILL"));
  afterAll(() => {
    fixture.remove();
  });

  /** Starts the fixture with --warm, and returns its socket. */
  async function start(env: Record<string, string> = {}): Promise<string> {
    const [node, ...script] = fixture.command;
    child = spawn(node, [...script, "--warm"], { env: { ...process.env, ...fixture.env, ...env } });
    const line = await firstOutput(child);
    const attachments = JSON.parse(line) as Record<string, { Addr: { String: string } }>;
    return attachments["trivet.local/trivet/fixture"]?.Addr.String ?? "";
  }

  const clientOf = (path: string) => createProviderClient(createGrpcClient(connect({ path })));

  test("serves several clients, also after a shutdown and an interrupt, until its parent closes its input", async () => {
    const path = await start();
    const first = clientOf(path);
    expect(await first.stopProvider({})).toEqual({ error: "" });
    await first.shutdown();
    first.grpc.close();
    child.kill("SIGINT");
    const second = clientOf(path);
    expect(await second.stopProvider({})).toEqual({ error: "" });
    second.grpc.close();
    const ended = once(child, "close");
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect(existsSync(path)).toBe(false);
  });

  test("serves its last client to the end when its parent has gone", async () => {
    const client = clientOf(await start());
    await client.stopProvider({});
    const ended = once(child, "close");
    child.stdin.end();
    // Longer than the fixture waits for a client to come back.
    const early = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 600))]);
    expect(early).toBeUndefined();
    expect(await client.stopProvider({})).toEqual({ error: "" });
    client.grpc.close();
    expect(await ended).toEqual([0, null]);
  });

  test("says why it ends when its code fails", async () => {
    const client = clientOf(await start({ FIXTURE: "crash" }));
    let errors = "";
    child.stderr.on("data", (data: Buffer) => (errors += data.toString()));
    const ended = once(child, "close");
    await client.getProviderSchema({}).catch(() => undefined);
    expect(await ended).toEqual([2, null]);
    expect(errors).toMatch(
      /^panic: terraform-provider-fixture 1.2.3 ended because of an unexpected/,
    );
  });
});
