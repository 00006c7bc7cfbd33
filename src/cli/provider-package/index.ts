export { splitBundle } from "./bundle";
export { contentHash, sha256 } from "./package-content";
export {
  isLegalFile,
  legalComments,
  licenceNotices,
  noticesFile,
  noticesFor,
  uniteNotices,
  type BundledCode,
  type Notices,
} from "./licences/notices";
export { isLicenceError } from "./licences/permitted";
export { bundledModules } from "./licences/third-parties";
export {
  addToMirror,
  providerArchive,
  registryRelease,
  type ProviderArchive,
  type RegistryRelease,
} from "./registry-release";
export {
  providerPackage,
  writePackage,
  type PackageOptions,
  type ProviderPackage,
} from "./provider-package";
