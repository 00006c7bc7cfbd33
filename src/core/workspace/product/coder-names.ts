/** How an agent authenticates, by coder's names. */
export const coderAuths = {
  "google-instance-identity": "cloudA-instance-identity",
  "aws-instance-identity": "cloudB-instance-identity",
  "azure-instance-identity": "cloudC-instance-identity",
} as const;
