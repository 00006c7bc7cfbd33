export { ValidationError, type Product } from "../construct";
export { Attest } from "./attest/construct";
export type { AttestProps } from "./attest/props";
export { Copy } from "./copy/construct";
export type { CopyProps, CopyTimeouts } from "./copy/generated";
export { DataVerify } from "./verify/construct";
export type { DataVerifyProps } from "./verify/generated";
export { Predicate } from "./predicate/predicate";
export type { PredicateFile } from "./predicate/predicate";
export type {
  SlsaBuildDefinition,
  SlsaBuilder,
  SlsaProvenance,
  SlsaResource,
  SlsaRunDetails,
} from "./predicate/predicate";
export { products } from "./product";
export { parseReference } from "./reference/construct";
export { Sign } from "./sign/construct";
export type { SignProps } from "./sign/generated";
export { SigningProvider } from "./provider/construct";
export type { Registry, SigningProviderProps } from "./provider/generated";
export { Conflict } from "./sign/enums";
export { PredicateType } from "./predicate/enums";
export { AttestationEntryType, SignatureFormat } from "./provider/generated";
