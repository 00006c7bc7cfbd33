export { ValidationError, type Product } from "../construct";
export { Attest } from "./attest/construct";
export type { AttestProps } from "./attest/props";
export { Copy } from "./copy/construct";
export type { CopyProps } from "./copy/props";
export { DataVerify } from "./verify/construct";
export type { DataVerifyProps } from "./verify/props";
export { Predicate } from "./predicate/predicate";
export type { PredicateFile } from "./predicate/predicate";
export type {
  SlsaBuildDefinition,
  SlsaBuilder,
  SlsaProvenance,
  SlsaResource,
  SlsaRunDetails,
} from "./predicate/slsa-provenance";
export { products } from "./product";
export { Sign } from "./sign/construct";
export type { SignProps } from "./sign/props";
export { SigningProvider } from "./provider/construct";
export type { Registry, SigningProviderProps } from "./provider/props";
export { AttestationEntryType } from "./provider/enums";
export { Conflict } from "./sign/enums";
export { PredicateType } from "./predicate/enums";
export { SignatureFormat } from "./provider/enums";
