// Prints the CPU milliseconds that loading one module costs.
const [, , path = ""] = process.argv;
const before = process.cpuUsage();
// eslint-disable-next-line @typescript-eslint/no-require-imports
require(path);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ cpuMs: (user + system) / 1000 }));
