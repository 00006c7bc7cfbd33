export { providerPackage, type PackageOptions, type ProviderPackage } from "./provider-package";
export { writePackage } from "./write-package";
