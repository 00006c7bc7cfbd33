import type { agentAuths } from "./declare";

/** How an agent proves who it is to the platform. */
export const AgentAuth = {
  /** With its token. */
  TOKEN: "token",
  /** With the identity of its virtual machine in cloud A. */
  CLOUD_A_INSTANCE_IDENTITY: "cloudA-instance-identity",
  /** With the identity of its virtual machine in cloud B. */
  CLOUD_B_INSTANCE_IDENTITY: "cloudB-instance-identity",
  /** With the identity of its virtual machine in cloud C. */
  CLOUD_C_INSTANCE_IDENTITY: "cloudC-instance-identity",
} as const satisfies Readonly<Record<string, keyof typeof agentAuths>>;

/** One of the words of {@link AgentAuth}. */
export type AgentAuth = keyof typeof agentAuths;
