import { SigningProvider as SigningProviderBinding } from "../../bindings/providers/signing/provider";
import { Sign as SignBinding } from "../../bindings/providers/signing/sign";
import { SigningProvider } from "../../src/core/signing/provider/construct";
import { Sign } from "../../src/core/signing/sign/construct";
import type { Builders } from "./builders";

const props = (index: number) => ({
  image: `registry.example.com/team/app@sha256:${index.toString(16).padStart(64, "0")}`,
});

export const signing: Builders = {
  construct(stack, count) {
    new SigningProvider(stack, "signing", {});
    for (let index = 0; index < count; index++) new Sign(stack, `s${index}`, props(index));
  },
  binding(stack, count) {
    new SigningProviderBinding(stack, "signing", {});
    for (let index = 0; index < count; index++) new SignBinding(stack, `s${index}`, props(index));
  },
};
