import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { AssetType, TerraformAsset } from "cdktf";
import type { Construct } from "constructs";
import type { PredicateFile } from "../predicate/predicate";

/**
 * The file as Terraform reads it. A file without a checksum is copied into the stack as an asset, with the
 * checksum of its current content.
 */
export function fileInStack(
  scope: Construct,
  id: string,
  { path, sha256 }: PredicateFile,
): { readonly path: string; readonly sha256: string } {
  if (sha256 !== undefined) return { path, sha256 };
  const whole = resolve(path);
  const assetHash = createHash("sha256").update(readFileSync(whole)).digest("hex");
  const asset = new TerraformAsset(scope, id, { path: whole, type: AssetType.FILE, assetHash });
  return { path: asset.path, sha256: assetHash };
}
