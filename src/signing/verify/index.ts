export { ImageVerifier, VerifyError, verifyImage } from "./image-verifier";
export type { VerifierSettings, VerifyErrorCode, VerifyRequest } from "./image-verifier";
export type {
  AuthorityReport,
  CountedReport,
  ImageVerdict,
  PolicyReport,
  RejectedCode,
  RejectedReport,
  RequirementReport,
} from "./image-verdict";
export type { RegistryAccess } from "../oci/credentials/registry-settings";
