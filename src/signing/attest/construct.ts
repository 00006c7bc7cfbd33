import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import {
  Attest as AttestBinding,
  type AttestPredicatesList,
} from "../../../bindings/providers/signing/attest";
import { product, ResourceConstruct, withStrings, type ConstructType } from "../../construct";
import type { AttestProps } from "./props";
import { attestInStack } from "./attest-in-stack";
import { fileInStack } from "./file-in-stack";
import { copiedImage } from "../stack/copied-image";
import { rivalAttestations } from "../stack/rival-attestations";
import { unusedWithKey } from "../stack/unused-with-key";
import { urlsForLegacyProvider } from "../stack/urls-for-legacy-provider";

const type: ConstructType = {
  name: "signing.Attest",
  declaration: attestInStack,
  stackRules: [copiedImage, rivalAttestations, unusedWithKey, urlsForLegacyProvider],
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
export class Attest extends ResourceConstruct<AttestBinding, AttestProps> {
  /** Type of the resource, the same for all products. */
  static readonly typeToken = `${product.name}:signing/v1:Attest`;

  constructor(scope: Construct, id: string, props: AttestProps) {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated for users, but still supported
    super(scope, id, type, props, (parent, childId, { predicates, predicateFiles, ...config }) => {
      const [predicateFile] = predicateFiles ?? [];
      return new AttestBinding(parent, childId, {
        ...withStrings(config, "conflict", "signatureFormat"),
        ...(predicates && {
          predicates: predicates.map(({ files, ...rest }, index) => ({
            ...rest,
            ...(files?.[0] && { file: fileInStack(parent, `predicate-${index}`, files[0]) }),
          })),
        }),
        ...(predicateFile && { predicateFile: fileInStack(parent, "predicate", predicateFile) }),
      });
    });
  }

  /** Reference of the attested image, by digest. */
  get image(): string {
    return this.resource.image;
  }

  /** The treatment of our earlier attestations. */
  get conflict(): IResolvable {
    return Token.asAny(this.resource.conflict);
  }

  /** The private key to sign with, as it was set; null for the provider's key or an identity. */
  get key(): string {
    return this.resource.key;
  }

  /** URL of the certificate authority that is used; null with a key. */
  get fulcioUrl(): string {
    return this.resource.fulcioUrl;
  }

  /** URL of the transparency log that is used; null if the signature is not logged. */
  get rekorUrl(): string {
    return this.resource.rekorUrl;
  }

  /** How the attestations are stored; null for the provider's default. */
  get signatureFormat(): IResolvable {
    return Token.asAny(this.resource.signatureFormat);
  }

  /** The attested predicates; `predicates.get(0)` is the first. */
  get predicates(): AttestPredicatesList {
    return this.resource.predicates;
  }

  /**
   * JSON of the predicate.
   *
   * @deprecated use {@link predicates}
   */
  get predicate(): string {
    return this.resource.predicate;
  }

  /**
   * Type of the predicate.
   *
   * @deprecated use {@link predicates}
   */
  get predicateType(): string {
    return this.resource.predicateType;
  }

  /**
   * The file with the JSON of the predicate: a list with at most one element.
   *
   * @deprecated use {@link predicates}
   */
  get predicateFiles(): IResolvable {
    return Token.asAny(this.resource.interpolationForAttribute("predicate_file"));
  }

  /** Reference of the image, known once it is attested: resources that use it wait for the attestations. */
  get attestedRef(): string {
    return this.resource.attestedRef;
  }

  /** True if attesting was skipped because there was no identity token. */
  get skipped(): IResolvable {
    return Token.asAny(this.resource.skipped);
  }

  /** Reference of the image. */
  get id(): string {
    return this.resource.id;
  }
}
