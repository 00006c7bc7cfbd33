import { createHash } from "node:crypto";

/** Who builds workspaces ahead. */
export const prebuildsOwner = "prebuilds";

export interface PlaceholderOwner {
  readonly id: string;
  readonly name: string;
  readonly fullName: string;
  readonly email: string;
  readonly loginType: string;
  readonly groups: readonly string[];
  readonly rbacRoles: readonly { readonly name: string; readonly org_id: string }[];
  readonly sshPublicKey: string;
  readonly sshPrivateKey: string;
}

/** An owner of whom nothing but the name is known; always the same by the same seed. */
export function placeholderOwner(seed: string, name: string): PlaceholderOwner {
  return {
    id: placeholderId(seed, "owner", name),
    name,
    fullName: name.charAt(0).toUpperCase() + name.slice(1),
    email: `${name}@example.com`,
    loginType: "password",
    groups: ["Everyone"],
    rbacRoles: [{ name: "member", org_id: placeholderId(seed, "organization", "default") }],
    // Markers, not keys: nothing here can log in anywhere.
    sshPublicKey: `ssh-ed25519 made-up-public-key-of-${name} ${name}@example.com`,
    sshPrivateKey: `made-up private key of ${name}`,
  };
}

/** A UUID that depends on its arguments alone. */
export function placeholderId(seed: string, kind: string, name: string): string {
  const hex = createHash("sha256")
    .update(JSON.stringify([seed, kind, name]))
    .digest("hex");
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join("-");
}

const AGENT_PLATFORMS = [
  ["linux", ["amd64", "arm64", "armv7"]],
  ["darwin", ["amd64", "arm64"]],
  ["windows", ["amd64", "arm64"]],
] as const;

/** Scripts that say where they come from: there is no agent to start here. */
export function placeholderAgentScripts(): readonly {
  readonly os: string;
  readonly arch: string;
  readonly script: string;
}[] {
  return AGENT_PLATFORMS.flatMap(([os, archs]) =>
    archs.map((arch) => {
      const [head, comment] = os === "windows" ? ["", "#"] : ["#!/bin/sh\n", "#"];
      const text = `An agent for ${os}/${arch} would come from \${ACCESS_URL} and log in by \${AUTH_TYPE}.`;
      return {
        os,
        arch,
        script: `${head}${comment} Made by the local platform.\necho '${text}'\n`,
      };
    }),
  );
}
