import { compile } from "../../src/provider-kit/cty/codec";
import { ctyTypeOf } from "../../src/provider-kit/plan/cty-type";
import { type SpawnedProvider, spawnProvider } from "../../src/provider-kit/testing";
import { endpoint } from "../../src/ids/declare/endpoint";
import { idsProvider } from "../../src/ids/declare/provider";
import { cpuMs, peakMb } from "../process-figures";
import type { Figure } from "../report";
import { pairs, sample } from "../sample";
import type { Setting } from "../setting";

const typeName = "ids_endpoint";
/** As many as Terraform has under way at once. */
const parallel = 10;

type Work = (provider: SpawnedProvider, count: number) => Promise<void>;

/** What planning endpoints costs the provider: rules and plan, as Terraform asks for them. */
export async function plan({ runs, executable }: Setting): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of [1, 100, 1_000, 10_000]) {
    const cpu: [number[], number[]] = [[], []];
    const memory: number[] = [];
    for (let run = 0; run < (count > 1_000 ? Math.max(3, runs >> 2) : runs); run++) {
      const planned = await measure(executable, planEndpoints, count);
      const idle = await measure(executable, callIdly, count);
      cpu[0].push(planned.cpuUs);
      cpu[1].push(idle.cpuUs);
      memory.push(planned.peakMb);
    }
    const { a, b } = pairs(...cpu);
    const isMany = count === 1_000;
    figures.push(
      {
        what: `plan of ${count}, provider CPU an endpoint`,
        value: a,
        unit: "µs",
        against: `two calls that do nothing: ${b.median.toFixed(0)} µs`,
        target: isMany ? 200 : undefined,
      },
      {
        what: `plan of ${count}, provider memory`,
        value: sample(memory),
        unit: "MB",
        against: "peak",
        target: isMany ? 80 : undefined,
      },
    );
  }
  return figures;
}

async function measure(executable: string, work: Work, count: number) {
  const provider = await spawnProvider([executable]);
  const pid = provider.process.pid ?? 0;
  await configure(provider);
  const before = cpuMs(pid);
  await work(provider, count);
  const figures = { cpuUs: ((cpuMs(pid) - before) * 1000) / count, peakMb: peakMb(pid) };
  await provider.close();
  return figures;
}

/** The price of the connection alone. */
const callIdly: Work = (provider, count) =>
  inParallel(count, async () => {
    await provider.getFunctions({});
    await provider.getFunctions({});
  });

async function inParallel(count: number, run: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await run(index);
  };
  await Promise.all(Array.from({ length: parallel }, work));
}

async function configure(provider: SpawnedProvider): Promise<void> {
  const settings = { project: "demo", zone: "us-central1-f", accessToken: "token" };
  const config = { msgpack: compile(ctyTypeOf(idsProvider)).encode(settings) };
  const { diagnostics } = await provider.configureProvider({ terraformVersion: "1.11.4", config });
  if (diagnostics.length > 0) throw new Error(diagnostics[0]?.detail);
}

const planEndpoints: Work = (provider, count) => {
  const codec = compile(ctyTypeOf(endpoint));
  const nothing = { msgpack: codec.encode(null) };
  return inParallel(count, async (index) => {
    const config = {
      msgpack: codec.encode({
        endpointId: `edge-${index}`,
        network: "projects/demo/global/networks/main",
        severity: "HIGH",
        labels: { team: "network", index: String(index) },
        threatExceptions: ["100001", "100002", "100003"],
      }),
    };
    const checked = await provider.validateResourceConfig({ typeName, config });
    const planned = await provider.planResourceChange({
      typeName,
      config,
      priorState: nothing,
      proposedNewState: config,
    });
    const problem = [...checked.diagnostics, ...planned.diagnostics][0];
    if (problem !== undefined) throw new Error(problem.detail);
  });
};
