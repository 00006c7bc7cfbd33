import type {
  agentAuths,
  apiKeyScopes,
  architectures,
  operatingSystems,
  startupScriptBehaviors,
} from "./declare";

/** How an agent authenticates to the platform. */
export const AgentAuth = {
  /** Uses its token. */
  TOKEN: "token",
  /** Uses the identity of its virtual machine in cloud A. */
  CLOUD_A_INSTANCE_IDENTITY: "cloudA-instance-identity",
  /** Uses the identity of its virtual machine in cloud B. */
  CLOUD_B_INSTANCE_IDENTITY: "cloudB-instance-identity",
  /** Uses the identity of its virtual machine in cloud C. */
  CLOUD_C_INSTANCE_IDENTITY: "cloudC-instance-identity",
} as const satisfies Readonly<Record<string, keyof typeof agentAuths>>;

/** One of the values of {@link AgentAuth}. */
export type AgentAuth = keyof typeof agentAuths;

/** Which routes of the platform an agent's token may call. */
export const ApiKeyScope = {
  /** Grants full access. */
  ALL: "all",
  /** Blocks `/external-auth`, `/gitsshkey` and `/gitauth`. */
  NO_USER_DATA: "no_user_data",
} as const satisfies Readonly<Record<string, keyof typeof apiKeyScopes>>;

/** One of the values of {@link ApiKeyScope}. */
export type ApiKeyScope = keyof typeof apiKeyScopes;

/** The processor architecture of a workspace's machine. */
export const Architecture = {
  /** 64-bit x86. */
  AMD64: "amd64",
  /** 32-bit Arm. */
  ARMV7: "armv7",
  /** 64-bit Arm. */
  ARM64: "arm64",
} as const satisfies Readonly<Record<string, keyof typeof architectures>>;

/** One of the values of {@link Architecture}. */
export type Architecture = keyof typeof architectures;

/** The operating system of a workspace's machine. */
export const OperatingSystem = {
  /** Linux. */
  LINUX: "linux",
  /** macOS. */
  DARWIN: "darwin",
  /** Windows. */
  WINDOWS: "windows",
} as const satisfies Readonly<Record<string, keyof typeof operatingSystems>>;

/** One of the values of {@link OperatingSystem}. */
export type OperatingSystem = keyof typeof operatingSystems;

/** The effect of the startup script on logins. */
export const StartupScriptBehavior = {
  /** Makes users wait until the script has ended. */
  BLOCKING: "blocking",
  /** Lets users log in while the script runs. */
  NON_BLOCKING: "non-blocking",
} as const satisfies Readonly<Record<string, keyof typeof startupScriptBehaviors>>;

/** One of the values of {@link StartupScriptBehavior}. */
export type StartupScriptBehavior = keyof typeof startupScriptBehaviors;
