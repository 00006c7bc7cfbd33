export { ValidationError, type Product } from "../construct";
export { Attest } from "./attest";
export type { AttestProps } from "./attest-props";
export { Copy } from "./copy";
export type { CopyProps } from "./copy-props";
export { DataVerify } from "./data-verify";
export type { DataVerifyProps } from "./data-verify-props";
export { Predicate } from "./predicate/predicate";
export type { PredicateFile } from "./predicate/predicate-file";
export type {
  SlsaBuildDefinition,
  SlsaBuilder,
  SlsaProvenance,
  SlsaResource,
  SlsaRunDetails,
} from "./predicate/slsa-provenance";
export { products } from "./product";
export { Sign } from "./sign";
export type { SignProps } from "./sign-props";
export { SigningProvider } from "./signing-provider";
export type { Registry, SigningProviderProps } from "./signing-provider-props";
export { AttestationEntryType } from "./words/attestation-entry-type";
export { Conflict } from "./words/conflict";
export { PredicateType } from "./words/predicate-type";
export { SignatureFormat } from "./words/signature-format";
