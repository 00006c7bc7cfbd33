import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";

import { type Reattached, startReattach } from "../../../../src/core/provider-kit/host/reattach";
import { createProviderClient } from "../../../../src/core/provider-kit/testing/provider-client";
import { createGrpcClient } from "../../../../src/core/provider-kit/wire/grpc/grpc-client";
import { unary } from "../../../../src/core/provider-kit/wire/grpc/grpc-route";
import { providerMethods } from "../../../../src/core/provider-kit/wire/tfplugin6/tfplugin6";
import { buildFixture, firstOutput } from "./fixture";

const source = "trivet.local/trivet/fixture";

interface Attachment {
  readonly Pid: number;
  readonly Addr: { readonly Network: string; readonly String: string };
}

function attachmentOf(json: string): Attachment {
  const attachment = (JSON.parse(json) as Record<string, Attachment>)[source];
  if (attachment === undefined) throw new Error(json);
  return attachment;
}

test("serves in this process until it is closed, even after Terraform's shutdown", async () => {
  const reattached: Reattached = await startReattach({
    source,
    routes: new Map([unary(providerMethods.stopProvider, () => ({ error: "here" }))]),
    env: {},
  });
  const attachment = attachmentOf(reattached.env.TF_REATTACH_PROVIDERS);
  expect(attachment).toEqual({
    Protocol: "grpc",
    ProtocolVersion: 6,
    Pid: process.pid,
    Test: true,
    Addr: { Network: "unix", String: expect.any(String) as string },
  });
  const path = attachment.Addr.String;
  const client = createProviderClient(createGrpcClient(connect({ path })));
  expect(await client.stopProvider({})).toEqual({ error: "here" });
  await client.shutdown();
  expect(await client.stopProvider({})).toEqual({ error: "here" });
  reattached.close();
  await client.grpc.closed;
  expect(existsSync(path)).toBe(false);
});

test("prints the variable to set, and ends with Ctrl-C", async () => {
  const fixture = await buildFixture();
  try {
    const [node, ...script] = fixture.command;
    const child = spawn(node, [...script, "--reattach"], {
      env: { ...process.env, ...fixture.env },
    });
    const match = /^TF_REATTACH_PROVIDERS='(.*)'$/.exec(await firstOutput(child));
    const attachment = attachmentOf(match?.[1] ?? "{}");
    expect(attachment.Pid).toBe(child.pid);
    const client = createProviderClient(
      createGrpcClient(connect({ path: attachment.Addr.String })),
    );
    expect(await client.stopProvider({})).toEqual({ error: "" });
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([0, null]);
    expect(existsSync(attachment.Addr.String)).toBe(false);
  } finally {
    fixture.remove();
  }
});
