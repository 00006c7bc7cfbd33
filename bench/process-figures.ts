import { readdirSync, readFileSync } from "node:fs";

/** Returns the CPU time of a running process so far, in milliseconds (Linux). */
export function cpuMs(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [run = "0"] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
    nanoseconds += Number(run);
  }
  return nanoseconds / 1e6;
}

/** Returns the peak memory of a running process so far, in MB (Linux). */
export function peakMb(pid: number): number {
  const [, kilobytes = "0"] =
    /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** Returns how much a running process has read so far, from sockets and files, in MB (Linux). */
export function readMb(pid: number): number {
  const [, bytes = "0"] = /^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8")) ?? [];
  return Number(bytes) / 2 ** 20;
}
