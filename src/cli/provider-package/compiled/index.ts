export { compiledProviders } from "./compiled-package";
export { runtimeFolder, runtimeStore } from "./runtime-store";
