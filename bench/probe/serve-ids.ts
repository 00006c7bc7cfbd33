// Serves the intrusion detection service until its input ends. Operations finish immediately. The argument is the quota
// of endpoints.
import { createLocalIds } from "../../src/local/ids/local-ids";

async function main(): Promise<void> {
  const service = createLocalIds({ pollsUntilDone: 0, quota: Number(process.argv[2] ?? 1_000) });
  console.log(JSON.stringify(await service.listen({ port: 0 })));
  process.stdin.resume().on("end", () => void service.close());
}

void main();
