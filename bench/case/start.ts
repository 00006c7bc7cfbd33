import { createCertificate } from "../../src/core/provider-kit/host/connection/certificate";
import { spawnProvider, terraformEnvironment } from "../../src/core/provider-kit/testing";
import { cpuAtFirstOutput } from "../cpu-at-first-output";
import type { Figure } from "../report";
import { inTurn, sample } from "../sample";
import type { MeasuredProvider, Setting } from "../setting";

/**
 * Measures the CPU time from the start to the handshake, and the time from Shutdown to the end of
 * the process.
 */
export async function start({ runs, providers }: Setting): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const provider of providers) figures.push(...(await startOne(provider, runs)));
  return figures;
}

async function startOne(
  { subject: { name }, executable }: MeasuredProvider,
  runs: number,
): Promise<Figure[]> {
  const client = createCertificate();
  const provider = (): Promise<number> =>
    cpuAtFirstOutput(executable, [], terraformEnvironment(client));
  const empty = (): Promise<number> => cpuAtFirstOutput(process.execPath, ["-e", printsOneLine]);
  const { a, ratio, difference } = await inTurn(runs * 3, provider, empty);
  const exits: number[] = [];
  for (let run = 0; run < runs; run++) exits.push(await exitMs(executable));
  const against = "`node` that prints one line";
  const what = `${name}: start to handshake, CPU`;
  return [
    { what, value: a, unit: "ms", against: "all threads" },
    { what: `${what} above an empty program`, value: difference, unit: "ms", against, target: 25 },
    { what, value: ratio, unit: "×", against },
    {
      what: `${name}: exit after Shutdown, wall`,
      value: sample(exits),
      unit: "ms",
      against: "from the request to the end of the process",
      target: 50,
    },
  ];
}

const printsOneLine = 'require("node:fs").writeSync(1, "\\n"); setInterval(() => {}, 1000)';

async function exitMs(executable: string): Promise<number> {
  const provider = await spawnProvider([executable]);
  await provider.getMetadata({});
  const before = performance.now();
  await provider.shutdown();
  await provider.exited;
  const ms = performance.now() - before;
  await provider.close();
  return ms;
}
