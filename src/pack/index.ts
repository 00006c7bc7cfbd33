export { sha256 } from "./digests";
export { addToMirror } from "./network-mirror";
export {
  providerArchive,
  registryRelease,
  type ProviderArchive,
  type RegistryRelease,
} from "./registry-release";
export {
  packageHash,
  providerPackage,
  type PackageOptions,
  type ProviderPackage,
} from "./provider-package";
export { writePackage } from "./write-package";
