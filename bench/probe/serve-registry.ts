// Serves an image registry from a folder until its input ends.
import { startService } from "../../src/local/service/service";
import { openRegistry } from "../../src/local/signing/registry/open-registry";

async function main(folder: string): Promise<void> {
  const registry = await startService(await openRegistry({ folder }));
  console.log(JSON.stringify({ host: registry.host }));
  process.stdin.resume().on("end", () => void registry.close());
}

const [, , folder = ""] = process.argv;
void main(folder);
