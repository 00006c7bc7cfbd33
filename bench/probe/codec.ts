// Prints the CPU time per plan, in microseconds, of a bundled program from `codec/`, without the
// loading of its code.
import { type CodecProgram, planSample, type Samples, valueSample } from "../codec/plan-sample";
import { cpuTimeMs } from "../cpu-time";

const samples: Samples = { protobuf: planSample, msgpack: valueSample };

function measure(kind: keyof Samples, path: string, count: number): void {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { take } = require(path) as CodecProgram;
  const taken = Array.from({ length: count }, (_, index) => samples[kind](index));
  let sum = 0;
  const cpuMs = cpuTimeMs(() => {
    for (const sample of taken) sum += take(sample);
  });
  console.log(JSON.stringify({ cpuUs: (cpuMs * 1000) / count, sum }));
}

const [, , kind = "", path = "", count = "1"] = process.argv;
measure(kind === "protobuf" ? kind : "msgpack", path, Number(count));
