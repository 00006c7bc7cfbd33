import type { Predicate, PredicateFile } from "../predicate/predicate";
import type { SigningProps } from "../sign/props";

/** The properties of an {@link Attest}. */
export interface AttestProps extends SigningProps {
  /**
   * Predicates to attest, such as `Predicate.spdx("sbom.json")`; only one of each type, unless `conflict` is
   * `APPEND`.
   *
   * @default none; then the deprecated properties must define one
   */
  readonly predicates?: readonly Predicate[] | undefined;
  /**
   * JSON of the predicate.
   *
   * @default none
   * @deprecated use `predicates`
   */
  readonly predicate?: string | undefined;
  /**
   * Type of the predicate.
   *
   * @default none
   * @deprecated use `predicates`
   */
  readonly predicateType?: string | undefined;
  /**
   * The file with the JSON of the predicate, at most one.
   *
   * @default none
   * @deprecated use `predicates`
   */
  readonly predicateFiles?: readonly PredicateFile[] | undefined;
}
