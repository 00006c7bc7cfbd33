import type { Construct } from "constructs";
import { IdsProvider as IdsProviderBinding } from "../../../../bindings/providers/ids/provider";
import type { ConstructType } from "../../construct";
import { idsProvider } from "./declare";
import { IdsProviderBase, type IdsProviderProps } from "./generated";

const type: ConstructType = { name: "ids.IdsProvider", declaration: idsProvider };

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
export class IdsProvider extends IdsProviderBase<IdsProviderProps> {
  constructor(scope: Construct, id: string, props: IdsProviderProps = {}) {
    super(scope, id, type, props, (...given) => new IdsProviderBinding(...given));
  }
}
