export { contentHash, sha256 } from "./digests";
export { addToMirror } from "./network-mirror";
export {
  providerArchive,
  registryRelease,
  type ProviderArchive,
  type RegistryRelease,
} from "./registry-release";
export { providerPackage, type PackageOptions, type ProviderPackage } from "./provider-package";
export { writePackage } from "./write-package";
