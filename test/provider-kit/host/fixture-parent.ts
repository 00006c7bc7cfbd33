import { spawnProvider } from "../../../src/provider-kit/testing/spawn-provider";

/** Starts a provider, prints its address, and waits to be killed. */
async function main(): Promise<void> {
  const [, , node, script] = process.argv;
  if (node === undefined || script === undefined) throw new Error("no command");
  const provider = await spawnProvider([node, script]);
  await provider.getMetadata({});
  process.stdout.write(`${provider.handshake.address}\n`);
}

void main();
