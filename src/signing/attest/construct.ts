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
import { urlsForLegacyProvider } from "../stack/urls-for-legacy-provider";

const type: ConstructType = {
  name: "signing.Attest",
  declaration: attestInStack,
  stackRules: [copiedImage, rivalAttestations, urlsForLegacyProvider],
};

/**
 * Attestations of an image: signed statements about it.
 *
 * When one is removed from the registry, the next apply makes it again. Destroying the resource leaves
 * the attestations.
 */
export class Attest extends ResourceConstruct<AttestBinding, AttestProps> {
  /** What the resource is called across products. */
  static readonly typeToken = `${product.name}:signing/v1:Attest`;

  /** @throws ValidationError with everything that is wrong with the properties */
  constructor(scope: Construct, id: string, props: AttestProps) {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated for others, and still taken
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

  /** Image that is attested, by its digest. */
  get image(): string {
    return this.resource.image;
  }

  /** What becomes of earlier attestations of ours. */
  get conflict(): IResolvable {
    return Token.asAny(this.resource.conflict);
  }

  /** Address of the certificate authority in use. */
  get fulcioUrl(): string {
    return this.resource.fulcioUrl;
  }

  /** Address of the transparency log in use. */
  get rekorUrl(): string {
    return this.resource.rekorUrl;
  }

  /** How the attestations are stored; null when the provider decides. */
  get signatureFormat(): IResolvable {
    return Token.asAny(this.resource.signatureFormat);
  }

  /** Statements that are attested; one is `predicates.get(0)`. */
  get predicates(): AttestPredicatesList {
    return this.resource.predicates;
  }

  /**
   * JSON of the claim.
   *
   * @deprecated use {@link predicates}
   */
  get predicate(): string {
    return this.resource.predicate;
  }

  /**
   * Type of the claim.
   *
   * @deprecated use {@link predicates}
   */
  get predicateType(): string {
    return this.resource.predicateType;
  }

  /**
   * The file with the JSON of the claim: a list of one or none.
   *
   * @deprecated use {@link predicates}
   */
  get predicateFiles(): IResolvable {
    return Token.asAny(this.resource.interpolationForAttribute("predicate_file"));
  }

  /** The image, once it is attested. What uses it waits for the attestations. */
  get attestedRef(): string {
    return this.resource.attestedRef;
  }

  /** Whether nothing was attested for want of an identity. */
  get skipped(): IResolvable {
    return Token.asAny(this.resource.skipped);
  }

  /** The image. */
  get id(): string {
    return this.resource.id;
  }
}
