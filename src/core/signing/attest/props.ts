import type { Predicate, PredicateFile } from "../predicate/predicate";
import type { AttestBaseProps } from "./generated";

/** The properties of an {@link Attest}. */
export interface AttestProps extends AttestBaseProps {
  /**
   * Predicates to attest, such as `Predicate.spdx("sbom.json")`; only one of each type, unless `conflict` is
   * `APPEND`.
   *
   * @default none; then the deprecated properties must define one
   */
  readonly predicates?: readonly Predicate[] | undefined;
  /** The file with the JSON of the predicate, at most one. @default none @deprecated use `predicates` */
  readonly predicateFiles?: readonly PredicateFile[] | undefined;
}
