// Prints the CPU time of loading a module, and the exports with these names, in milliseconds.
import { cpuTimeMs } from "../cpu-time";

const [, , path = "", ...names] = process.argv;

function load(): void {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const loaded = require(path) as Readonly<Record<string, unknown>>;
  for (const name of names) if (loaded[name] === undefined) throw new Error(`${path}: no ${name}`);
}

console.log(JSON.stringify({ cpuMs: cpuTimeMs(load) }));
