/** Runs a function and returns the CPU time that it takes, in milliseconds. */
export function cpuTimeMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
