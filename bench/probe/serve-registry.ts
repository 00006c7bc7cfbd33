// Serves an image registry from a folder until its input ends.
import { startRegistry } from "../../src/local/signing/registry/start-registry";

async function main(folder: string): Promise<void> {
  const registry = await startRegistry({ folder });
  console.log(JSON.stringify({ host: registry.host }));
  process.stdin.resume().on("end", () => void registry.close());
}

const [, , folder = ""] = process.argv;
void main(folder);
