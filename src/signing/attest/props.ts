import type { Predicate } from "../predicate/predicate";
import type { PredicateFile } from "../predicate/predicate-file";
import type { SigningProps } from "../sign/props";

/** The properties of an {@link Attest}. */
export interface AttestProps extends SigningProps {
  /**
   * Statements to attest, such as `Predicate.spdx("sbom.json")`; of one type only one, unless `conflict` is
   * `APPEND`.
   *
   * @default none, and then one in the deprecated properties
   */
  readonly predicates?: readonly Predicate[] | undefined;
  /**
   * JSON of the claim.
   *
   * @default none
   * @deprecated use `predicates`
   */
  readonly predicate?: string | undefined;
  /**
   * Type of the claim.
   *
   * @default none
   * @deprecated use `predicates`
   */
  readonly predicateType?: string | undefined;
  /**
   * The file with the JSON of the claim, one at most.
   *
   * @default none
   * @deprecated use `predicates`
   */
  readonly predicateFiles?: readonly PredicateFile[] | undefined;
}
