import { buildSync } from "esbuild";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGrpcClient } from "../../src/provider-kit/wire/grpc/grpc-client";
import { startBackground } from "../background";
import { planDescriptor } from "../codec/plan-descriptor";
import { planSample } from "../codec/plan-sample";
import { cpuMs } from "../process-figures";
import type { Figure } from "../report";
import { runProbe } from "../run-probe";
import { inTurn, type Pairs, pairs } from "../sample";
import type { Setting } from "../setting";

/** The library with which each of our codecs is compared. */
const comparisons = [
  { kind: "protobuf", library: "protobuf-library", against: "`@bufbuild/protobuf`" },
  { kind: "msgpack", library: "msgpack-library", against: "`@msgpack/msgpack`, untyped" },
  { kind: "msgpack", library: "msgpack-typed-library", against: "`@msgpack/msgpack`, typed" },
] as const;

/** Compares our own protobuf, msgpack and gRPC code with libraries. */
export async function codec({ runs, root }: Setting): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "trivet-bench-"));
  const bundled = (name: string): string => bundle(root, name, folder);
  try {
    const figures: Figure[] = [];
    for (const { kind, library, against } of comparisons) {
      const own = bundled(`${kind}-own`);
      figures.push(...(await codecFigures(kind, own, bundled(library), against, runs)));
    }
    const own = bundled("grpc-own");
    figures.push(...(await grpcFigures(own, bundled("grpc-library"), folder, runs)));
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Bundles a program from `codec/` like the providers: one minified file without unused code. */
function bundle(root: string, name: string, folder: string): string {
  const outfile = join(folder, `${name}.cjs`);
  buildSync({
    absWorkingDir: root,
    entryPoints: [join("bench", "codec", `${name}.ts`)],
    outfile,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    minify: true,
    legalComments: "none",
    define: { PLAN_DESCRIPTOR: JSON.stringify(planDescriptor()) },
    logLevel: "warning",
  });
  return outfile;
}

/** The ratio of our figure to the library's, with both figures. */
function figure(what: string, { a, b, ratio }: Pairs, unit: string, against: string): Figure {
  const both = `${against}: ${b.median.toFixed(1)} ${unit}, ours ${a.median.toFixed(1)} ${unit}`;
  return { what, value: ratio, unit: "×", against: both, target: 1 };
}

async function codecFigures(
  kind: string,
  own: string,
  library: string,
  against: string,
  runs: number,
): Promise<Figure[]> {
  const plan = async (count: number): Promise<Pairs> => {
    const take = async (path: string): Promise<number> =>
      (await runProbe("codec", kind, path, String(count)))["cpuUs"] ?? Number.NaN;
    return inTurn(
      runs,
      () => take(own),
      () => take(library),
    );
  };
  return [
    figure(`codec: ${kind}, load, CPU`, await loading(own, library, runs), "ms", against),
    // The first plan of a process: our tables are created when a message is first used.
    figure(`codec: ${kind}, plan of 1, CPU`, await plan(1), "µs", against),
    figure(`codec: ${kind}, plan of 1000, CPU per resource`, await plan(1_000), "µs", against),
  ];
}

function loading(own: string, library: string, runs: number): Promise<Pairs> {
  const load = async (path: string): Promise<number> =>
    (await runProbe("import", path))["cpuMs"] ?? Number.NaN;
  return inTurn(
    runs,
    () => load(own),
    () => load(library),
  );
}

const calledPath = "/tfplugin6.Provider/PlanResourceChange";
const calls = 1_000;
/** The number of calls that Terraform makes in parallel. */
const parallel = 10;

interface Served {
  /** The server's CPU time: until it listens, for the first call, and for each further call. */
  readonly startMs: number;
  readonly firstMs: number;
  readonly cpuUs: number;
  /** Measured by the client. */
  readonly callsPerSecond: number;
}

async function grpcFigures(
  own: string,
  library: string,
  folder: string,
  runs: number,
): Promise<Figure[]> {
  const against = "`@grpc/grpc-js`";
  const taken: [Served[], Served[]] = [[], []];
  for (let run = 0; run <= runs; run++) {
    const pair = [await served(own, folder), await served(library, folder)] as const;
    if (run === 0) continue;
    taken[0].push(pair[0]);
    taken[1].push(pair[1]);
  }
  const of = (name: keyof Served): Pairs =>
    pairs(
      taken[0].map((each) => each[name]),
      taken[1].map((each) => each[name]),
    );
  const throughput = of("callsPerSecond");
  const rate = (calls: number): string => calls.toFixed(0);
  return [
    figure("codec: gRPC, load until it listens, CPU", of("startMs"), "ms", against),
    figure("codec: gRPC, first call, server CPU", of("firstMs"), "ms", against),
    figure(`codec: gRPC, ${calls} calls, server CPU per call`, of("cpuUs"), "µs", against),
    {
      what: `codec: gRPC, ${calls} calls, calls per second (more is better)`,
      value: throughput.ratio,
      unit: "×",
      against: `${against}: ${rate(throughput.b.median)}, ours ${rate(throughput.a.median)}`,
    },
  ];
}

/**
 * Calls a server in a separate process. Both servers are called by our client, because Terraform
 * has its own.
 */
async function served(program: string, folder: string): Promise<Served> {
  const socket = join(folder, "grpc.sock");
  const server = await startBackground("serve-grpc", program, socket, calledPath);
  try {
    const client = createGrpcClient(connect(socket));
    const message = planSample(0).planned;
    const call = async (): Promise<void> => {
      const answer = await client.unary(calledPath, message);
      if (answer.length !== message.length)
        throw new Error("the response differs from the request");
    };
    const before = cpuMs(server.pid);
    await call();
    const warm = cpuMs(server.pid);
    const begun = performance.now();
    let left = calls;
    await Promise.all(
      Array.from({ length: parallel }, async () => {
        while (left-- > 0) await call();
      }),
    );
    const seconds = (performance.now() - begun) / 1000;
    const cpuUs = ((cpuMs(server.pid) - warm) * 1000) / calls;
    client.close();
    const startMs = Number(server.facts["startMs"]);
    return { startMs, firstMs: warm - before, cpuUs, callsPerSecond: calls / seconds };
  } finally {
    await server.close();
    rmSync(socket, { force: true });
  }
}
