import { draft } from "../../plan/draft";
import { deferredBy } from "../provider-error";
import { errorDiagnostic } from "../diagnostic";
import {
  type Call,
  deadlineOf,
  diagnosed,
  type HandlerCall,
  knownState,
  resourceContext,
  StoredPrivateState,
} from "./call";
import type { EphemeralContext } from "../capabilities";

/** Opens an ephemeral resource. Terraform calls it only when the whole configuration is known. */
export const openEphemeralResource: Call<"openEphemeralResource"> = (session, request, context) =>
  diagnosed(async (warnings) => {
    const { declaration, open, renew } = session.ephemeralResource(request.typeName);
    const compiled = session.compiled(declaration);
    try {
      const given = compiled.decodeConfig(request.config);
      const config = draft(declaration, given, undefined);
      const privateState = new StoredPrivateState(new Uint8Array());
      const handlerCall = { session, compiled, context, warnings, privateState };
      const call = new EphemeralCall(handlerCall, renew !== undefined);
      const deadline = deadlineOf(compiled, "open", given);
      // Not spread, because the context has getters.
      const opened = await open(config, Object.assign(call.context, { deadline }));
      session.secrets.collect(declaration, opened);
      const { values, diagnostics } = knownState(compiled, opened, config);
      return {
        result: compiled.encode(values, given),
        private: privateState.toBytes(),
        ...call.renewal,
        diagnostics,
      };
    } catch (error) {
      const deferred = deferredBy(error, request.clientCapabilities);
      if (deferred !== undefined) return { result: compiled.encodeUnknown(), ...deferred };
      return { diagnostics: [errorDiagnostic(error, compiled.type)] };
    }
  });

/** Renews an open ephemeral resource at the time that it requested. */
export const renewEphemeralResource: Call<"renewEphemeralResource"> = (session, request, context) =>
  diagnosed(async (warnings) => {
    const { declaration, renew } = session.ephemeralResource(request.typeName);
    const compiled = session.compiled(declaration);
    const privateState = new StoredPrivateState(request.private ?? new Uint8Array());
    try {
      const handlerCall = { session, compiled, context, warnings, privateState };
      const call = new EphemeralCall(handlerCall, renew !== undefined);
      await renew?.(call.context);
      return { private: privateState.toBytes(), ...call.renewal };
    } catch (error) {
      return {
        private: privateState.toBytes(),
        diagnostics: [errorDiagnostic(error, compiled.type)],
      };
    }
  });

export const closeEphemeralResource: Call<"closeEphemeralResource"> = (session, request, context) =>
  diagnosed(async (warnings) => {
    const { declaration, close } = session.ephemeralResource(request.typeName);
    const compiled = session.compiled(declaration);
    try {
      const privateState = new StoredPrivateState(request.private ?? new Uint8Array());
      await close?.(resourceContext({ session, compiled, context, warnings, privateState }));
      return {};
    } catch (error) {
      return { diagnostics: [errorDiagnostic(error, compiled.type)] };
    }
  });

/** The seconds and nanoseconds since the epoch. */
interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
}

/** The context of a call of an ephemeral resource, and the renewal that its handler requests. */
class EphemeralCall<Client> {
  readonly context: EphemeralContext<Client>;
  #renewAt: Date | undefined;

  /** @param renews true if the resource has a `renew` handler */
  constructor(call: HandlerCall<Client>, renews: boolean) {
    const { session, compiled, privateState } = call;
    const renewAt = (time: Date): void => {
      if (!renews) {
        throw new Error(
          `${compiled.declaration.type} has no renew handler, but its open handler called renewAt`,
        );
      }
      if (Number.isNaN(time.getTime())) throw new Error("renewAt needs a valid date");
      this.#renewAt = time;
    };
    this.context = session.context(call, { privateState, renewAt });
  }

  /** The part of the response that requests a renewal. */
  get renewal(): { readonly renewAt?: Timestamp } {
    if (this.#renewAt === undefined) return {};
    const ms = this.#renewAt.getTime();
    const seconds = Math.floor(ms / 1000);
    return { renewAt: { seconds, nanos: (ms - seconds * 1000) * 1_000_000 } };
  }
}
