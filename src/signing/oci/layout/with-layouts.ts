import type { Repository } from "../reference/repository";
import { isLayout } from "../reference/repository";
import type { RegistryClient } from "../registry/client";
import { createLayoutClient, type LayoutSettings } from "./layout-client";

/** Adds image layouts on this machine to a client for registries, so that both are read and written in the same way. */
export function withLayouts(registry: RegistryClient, settings?: LayoutSettings): RegistryClient {
  const layouts = createLayoutClient(settings);
  const at = (repository: Repository): RegistryClient =>
    isLayout(repository) ? layouts : registry;
  return {
    manifests: {
      get: (place, ...rest) => at(place).manifests.get(place, ...rest),
      head: (place, ...rest) => at(place).manifests.head(place, ...rest),
      put: (place, ...rest) => at(place).manifests.put(place, ...rest),
      remove: (place, ...rest) => at(place).manifests.remove(place, ...rest),
    },
    blobs: {
      get: (place, ...rest) => at(place).blobs.get(place, ...rest),
      stream: (place, ...rest) => at(place).blobs.stream(place, ...rest),
      has: (place, ...rest) => at(place).blobs.has(place, ...rest),
    },
    uploads: {
      put: (place, ...rest) => at(place).uploads.put(place, ...rest),
      push: (place, ...rest) => at(place).uploads.push(place, ...rest),
      mount: (place, ...rest) => at(place).uploads.mount(place, ...rest),
    },
    referrers: {
      list: (place, ...rest) => at(place).referrers.list(place, ...rest),
      canRemove: (place, ...rest) => at(place).referrers.canRemove(place, ...rest),
      add: (place, ...rest) => at(place).referrers.add(place, ...rest),
      remove: (place, ...rest) => at(place).referrers.remove(place, ...rest),
    },
    updateTag: (place, ...rest) => at(place).updateTag(place, ...rest),
    writeImage: (place, ...rest) => at(place).writeImage(place, ...rest),
    close: () => registry.close(),
  };
}
