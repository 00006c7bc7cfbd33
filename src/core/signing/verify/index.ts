export { ImageVerifier, VerifyError, verifyImage } from "./image-verifier";
export type {
  TreeRequest,
  VerifierSettings,
  VerifyErrorCode,
  VerifyRequest,
} from "./image-verifier";
export type {
  AttachedItem,
  CertificateReport,
  CheckReport,
  ImageTree,
  InclusionReport,
  LogEntryReport,
  SignerReport,
  TimestampReport,
} from "../tree/image-tree";
export type {
  AuthorityReport,
  CountedReport,
  ImageVerdict,
  PolicyReport,
  RejectedCode,
  RejectedReport,
  RequirementReport,
} from "../policy/image-verdict";
export type { RegistryAccess } from "../oci/registry/client";
