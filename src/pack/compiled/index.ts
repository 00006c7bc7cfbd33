export { compiledProviders, type CompiledProviders } from "./compiled-package";
export { runtimeFolder, runtimeStore } from "./runtime-store";
