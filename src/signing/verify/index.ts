export { ImageVerifier, VerifyError, verifyImage } from "./image-verifier";
export type { VerifierSettings, VerifyErrorCode, VerifyRequest } from "./image-verifier";
export type {
  AuthorityReport,
  CountedReport,
  ImageVerdict,
  PolicyReport,
  RejectedReport,
  RequirementReport,
} from "./verdict/image-verdict";
export type { RejectionCode as RejectedCode } from "../policy/rejection-code";
export type { RegistryAccess } from "../oci/credentials/registry-settings";
