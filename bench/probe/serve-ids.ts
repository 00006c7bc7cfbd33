// Serves the intrusion detection service until its input ends. Operations are done at once.
import { createLocalIds } from "../../src/ids/local/local-ids";

async function main(): Promise<void> {
  const service = createLocalIds({ pollsUntilDone: 0, quota: 1_000 });
  console.log(JSON.stringify(await service.listen({ port: 0 })));
  process.stdin.resume().on("end", () => void service.close());
}

void main();
