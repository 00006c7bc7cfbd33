export { splitBundle } from "./bundle";
export { contentHash, sha256 } from "./package-content";
export {
  licenceNotices,
  noticesFile,
  noticesFor,
  uniteNotices,
  type BundledCode,
  type Notices,
} from "./licences/notices";
export { isLegalFile, legalComments } from "./licences/legal-comments";
export { isLicenceError } from "./licences/permitted";
export { bundledModules } from "./licences/third-parties";
export { addToMirror } from "./registry-release";
export {
  providerArchive,
  registryRelease,
  type ProviderArchive,
  type RegistryRelease,
} from "./registry-release";
export { providerPackage, type PackageOptions, type ProviderPackage } from "./provider-package";
export { writePackage } from "./provider-package";
