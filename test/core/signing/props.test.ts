import { signing } from "../../../src";
import type { Declaration } from "../../../src/core/schema";
import { attest } from "../../../src/core/signing/attest/declare";
import { copy } from "../../../src/core/signing/copy/declare";
import { verify } from "../../../src/core/signing/verify/declare";
import { signingProvider } from "../../../src/core/signing/provider/declare";
import { sign } from "../../../src/core/signing/sign/declare";
import { assertType, type Literal, type Maps, type Own, type Same } from "../../accept/props";
import { image, newStack } from "./synthesized";

/** A list of one file, as the spec has it, for the file alone; and the sum that the construct works out. */
type Alone<T> = T extends readonly { readonly path: string }[]
  ? { readonly path: string; readonly sha256: string }
  : T extends readonly (infer Element)[]
    ? readonly Alone<Element>[]
    : T extends object
      ? { readonly [K in keyof T]: Alone<T[K]> }
      : T;

test("the props of every construct are its declaration's arguments", () => {
  assertType<Maps<Alone<Literal<Own<signing.AttestProps>>>, typeof attest>>(true);
  assertType<Maps<signing.CopyProps, typeof copy>>(true);
  assertType<Maps<signing.SignProps, typeof sign>>(true);
  assertType<Maps<signing.DataVerifyProps, typeof verify>>(true);
  assertType<Maps<signing.SigningProviderProps, typeof signingProvider>>(true);
});

test("the type assertions above can fail", () => {
  type Wrong = Omit<signing.CopyProps, "source"> & { readonly source: number };
  assertType<Same<Maps<Wrong, typeof copy>, "the arguments do not take the props">>(true);
  assertType<Same<Maps<Omit<signing.CopyProps, "source">, typeof copy>, "other names">>(true);
});

test.each<[{ readonly prototype: object }, Declaration]>([
  [signing.Attest, attest],
  [signing.Copy, copy],
  [signing.Sign, sign],
  [signing.DataVerify, verify],
  [signing.SigningProvider, signingProvider],
])("every input and output is a readable property of %p", ({ prototype }, declaration) => {
  const declared = Object.keys({ ...declaration.attributes, ...declaration.blocks });
  // Only Terraform and the provider use timeouts.
  const missing = declared.filter((name) => name !== "timeouts" && !(name in prototype));
  expect(missing).toEqual([]);
});

test("the compiler refuses props that the declaration lacks", () => {
  const stack = newStack();
  const declare = (): void => {
    // @ts-expect-error the destination is required
    new signing.Copy(stack, "a", { source: image });
    // @ts-expect-error a format is one of the enum values
    new signing.Sign(stack, "b", { image, signatureFormat: "new" });
    // @ts-expect-error values of conflict are in uppercase
    new signing.Sign(stack, "c", { image, conflict: "append" });
    // @ts-expect-error an output is not an input
    new signing.Sign(stack, "d", { image, signedRef: image });
    // @ts-expect-error a predicate has a type
    new signing.Attest(stack, "e", { image, predicates: [{ json: "{}" }] });
    const made = new signing.Sign(stack, "sign", { image });
    // @ts-expect-error what a construct was given is read-only
    made.image = "other";
  };
  expect(declare).toThrow(signing.ValidationError);
});
