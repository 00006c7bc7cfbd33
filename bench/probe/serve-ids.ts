// Serves the intrusion detection service until its input ends. Operations are done at once. The argument is
// the number of endpoints that it allows.
import { createLocalIds } from "../../src/local/ids/local-ids";

async function main(): Promise<void> {
  const service = createLocalIds({ pollsUntilDone: 0, quota: Number(process.argv[2] ?? 1_000) });
  console.log(JSON.stringify(await service.listen({ port: 0 })));
  process.stdin.resume().on("end", () => void service.close());
}

void main();
