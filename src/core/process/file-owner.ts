import { statSync } from "node:fs";

/**
 * Checks whether a file or a folder belongs to somebody who is neither this user nor the administrator. As git does, it
 * trusts the user who has called sudo.
 */
export function isForeign(path: string): boolean {
  const user = process.getuid?.();
  if (user === undefined) return false;
  const trusted = [0, user, ...(user === 0 ? [Number(process.env["SUDO_UID"] ?? 0)] : [])];
  return !trusted.includes(statSync(path).uid);
}
