import type { operatingSystems } from "./declare";

/** The operating system of a workspace's machine. */
export const OperatingSystem = {
  /** Linux. */
  LINUX: "linux",
  /** macOS. */
  DARWIN: "darwin",
  /** Windows. */
  WINDOWS: "windows",
} as const satisfies Readonly<Record<string, keyof typeof operatingSystems>>;

/** One of the words of {@link OperatingSystem}. */
export type OperatingSystem = keyof typeof operatingSystems;
