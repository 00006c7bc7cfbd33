import { type Codec, compile } from "../src/provider-kit/cty/codec/codec";
import { encodeJson } from "../src/provider-kit/cty/json/json";
import { isCtyRecord } from "../src/provider-kit/cty/value";
import { ctyTypeOf } from "../src/provider-kit/plan/cty-type";
import type { SpawnedProvider } from "../src/provider-kit/testing";
import type { DynamicValue } from "../src/provider-kit/wire/tfplugin6/tfplugin6";
import type { Step } from "./step";
import type { MeasuredResource, Values } from "./subject/subject";

/** What Terraform keeps of a resource that exists. */
interface Kept {
  readonly state: DynamicValue;
  readonly private: Uint8Array;
}

/** Takes the resources of one type through Terraform's steps. */
export class ResourceWalk {
  readonly #provider: SpawnedProvider;
  readonly #resource: MeasuredResource;
  readonly #codec: Codec;
  readonly #kept: Kept[] = [];

  constructor(provider: SpawnedProvider, resource: MeasuredResource) {
    this.#provider = provider;
    this.#resource = resource;
    this.#codec = compile(ctyTypeOf(resource.declaration));
  }

  /**
   * @param before the values of the resource that this one refers to
   * @returns the values after the step, as far as they are known
   */
  async take(step: Step, index: number, before: Values): Promise<Values> {
    const { type: typeName } = this.#resource.declaration;
    const prior = step === "second plan" ? await this.#refreshed(index) : undefined;
    const priorState = prior?.state ?? { msgpack: this.#codec.encode(null) };
    const config = { msgpack: this.#codec.encode(this.#resource.config(index, before)) };
    accept(await this.#provider.validateResourceConfig({ typeName, config }));
    const { plannedState, plannedPrivate } = accept(
      await this.#provider.planResourceChange({
        typeName,
        config,
        priorState,
        proposedNewState: config,
        priorPrivate: prior?.private,
      }),
    );
    if (step !== "apply") return this.#values(plannedState);
    const made = accept(
      await this.#provider.applyResourceChange({
        typeName,
        config,
        priorState,
        plannedState,
        plannedPrivate,
      }),
    );
    if (made.newState === undefined) throw new Error("nothing was made");
    this.#kept[index] = { state: made.newState, private: made.private };
    return this.#values(made.newState);
  }

  /** The resource as it is read from the state, and then by the provider. */
  async #refreshed(index: number): Promise<Kept> {
    const kept = this.#kept[index];
    if (kept === undefined) throw new Error("nothing was made");
    const { declaration } = this.#resource;
    const typeName = declaration.type;
    const json = Buffer.from(encodeJson(ctyTypeOf(declaration), this.#values(kept.state)));
    const rawState = { json };
    const { version } = declaration;
    accept(await this.#provider.upgradeResourceState({ typeName, version, rawState }));
    const { newState, private: more } = accept(
      await this.#provider.readResource({
        typeName,
        currentState: kept.state,
        private: kept.private,
      }),
    );
    if (newState === undefined) throw new Error("nothing was read");
    return { state: newState, private: more };
  }

  #values(value: DynamicValue | undefined): Values {
    const decoded = this.#codec.decode(value?.msgpack ?? new Uint8Array());
    if (!isCtyRecord(decoded)) throw new Error("a resource is missing");
    return decoded;
  }
}

interface Diagnosed {
  readonly diagnostics: readonly { readonly summary: string; readonly detail: string }[];
}

/** @throws Error when the provider has anything to say: what is measured must be right */
export function accept<Response extends Diagnosed>(response: Response): Response {
  const [problem] = response.diagnostics;
  if (problem !== undefined) throw new Error(`${problem.summary}: ${problem.detail}`);
  return response;
}
