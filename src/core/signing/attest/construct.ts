import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { AssetType, TerraformAsset, Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import { Attest as AttestBinding } from "../../../../bindings/providers/signing/attest";
import { block, optional, type Declaration, type Fields } from "../../schema";
import { knownPaths, readableFiles, sensibleFiles } from "../predicate/file-rules";
import { AttestBase } from "./generated";
import type { AttestProps } from "./props";
import { attest } from "./declare";
import { copiedImage } from "../stack/copied-image";
import { rivalAttestations } from "../stack/rival-attestations";
import { ignoredSettings } from "../stack/ignored-settings";
import type { PredicateFile } from "../predicate/predicate";

const { predicates, predicateFiles } = attest.blocks;
const { path, sha256 } = predicateFiles.fields.attributes;

// Without a checksum, the construct reads the file before synthesis.
const file: Fields = {
  attributes: { path, sha256: optional(sha256.type, { doc: sha256.doc }) },
};

const files = block.list(file, { doc: "File with the predicate.", wire: "file", max: 1 });

/** The declaration of the resource, except that files need no checksum. */
const attestInStack: Declaration = {
  ...attest,
  blocks: {
    predicates: { ...predicates, fields: { ...predicates.fields, blocks: { files } } },
    predicateFiles: { ...predicateFiles, fields: file },
  },
  rules: [...attest.rules, knownPaths, readableFiles, sensibleFiles],
};

/**
 * Attests an image: signs statements about it and attaches them.
 *
 * If an attestation is removed from the registry, the next apply creates it again. Destroying the resource
 * keeps the attestations.
 *
 * See the guide `docs/guide/signing.md` in this package.
 *
 * @example
 * ```ts
 * const attest = new signing.Attest(this, "attest", {
 *   image: sign.signedRef,
 *   predicates: [signing.Predicate.spdx("sbom.spdx.json")],
 * });
 * ```
 */
export class Attest extends AttestBase<AttestProps> {
  protected static override readonly stackRules = [copiedImage, rivalAttestations, ignoredSettings];

  constructor(scope: Construct, id: string, props: AttestProps) {
    super(
      scope,
      id,
      attestInStack,
      props,
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated for users, but still supported
      (parent, childId, { predicates, predicateFiles, ...config }) => {
        const [predicateFile] = predicateFiles ?? [];
        return new AttestBinding(parent, childId, {
          ...config,
          ...(predicates && {
            predicates: predicates.map(({ files, ...rest }, index) => ({
              ...rest,
              ...(files?.[0] && { file: fileInStack(parent, `predicate-${index}`, files[0]) }),
            })),
          }),
          ...(predicateFile && { predicateFile: fileInStack(parent, "predicate", predicateFile) }),
        });
      },
    );
  }

  /** The file with the JSON of the predicate: a list with at most one element. @deprecated use {@link predicates} */
  get predicateFiles(): IResolvable {
    return Token.asAny(this.resource.interpolationForAttribute("predicate_file"));
  }
}

/**
 * The file as Terraform reads it. A file without a checksum is copied into the stack as an asset, with the
 * checksum of its current content.
 */
function fileInStack(
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
