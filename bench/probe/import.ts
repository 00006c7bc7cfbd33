// Prints the CPU time of loading a module, in milliseconds.
import { cpuTimeMs } from "../cpu-time";

const [, , path = ""] = process.argv;
// eslint-disable-next-line @typescript-eslint/no-require-imports
console.log(JSON.stringify({ cpuMs: cpuTimeMs(() => void require(path)) }));
