import type { architectures } from "./declare";

/** The processor architecture of a workspace's machine. */
export const Architecture = {
  /** 64-bit x86. */
  AMD64: "amd64",
  /** 32-bit Arm. */
  ARMV7: "armv7",
  /** 64-bit Arm. */
  ARM64: "arm64",
} as const satisfies Readonly<Record<string, keyof typeof architectures>>;

/** One of the words of {@link Architecture}. */
export type Architecture = keyof typeof architectures;
