import { IdsProviderBase } from "./generated";

/**
 * The provider of the cloud intrusion detection service.
 *
 * The stack requires the exact provider version of this package.
 *
 * See the guide `docs/guide/first-stack.md` in this package.
 *
 * @example
 * ```ts
 * new ids.IdsProvider(this, "ids", { project: "my-project", zone: "us-central1-f" });
 * ```
 */
export class IdsProvider extends IdsProviderBase {}
