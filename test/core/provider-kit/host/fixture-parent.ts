import { spawnProvider } from "../../../../src/core/provider-kit/testing/spawn-provider";

/** Starts a provider, prints its address, and waits to be killed. */
async function main(): Promise<void> {
  const [, , executable, ...args] = process.argv;
  if (executable === undefined) throw new Error("no command");
  const provider = await spawnProvider([executable, ...args]);
  await provider.getMetadata({});
  process.stdout.write(`${provider.handshake.address}\n`);
}

void main();
