import { TerraformStack, Testing } from "cdktf";
import type { Construct } from "constructs";
import { signing } from "../../../src";

/** A part of the JSON that Terraform reads. */
type Json = Readonly<Record<string, unknown>>;

export const hex = "0123456789abcdef".repeat(4);
export const image = `registry.example.com/team/app@sha256:${hex}`;

/** A stack with the provider. */
export function newStack(props?: signing.SigningProviderProps): TerraformStack {
  const stack = new TerraformStack(Testing.app(), "Demo");
  new signing.SigningProvider(stack, "signing", props);
  return stack;
}

/** The synthesized stack, validated. */
export function synthesized(stack: TerraformStack): Json {
  return JSON.parse(Testing.synth(stack, true)) as Json;
}

/** The synthesized resources of one type, by their names. */
export function resources(stack: TerraformStack, type: string): Json {
  const section = synthesized(stack)["resource"] as Readonly<Record<string, Json>> | undefined;
  return section?.[type] ?? {};
}

/** The texts of the warnings at a construct. */
export function warnings(construct: Construct): string[] {
  return construct.node.metadata
    .filter(({ type }) => type.endsWith("warn"))
    .map(({ data }) => String(data));
}

/** What a constructor throws, without the stack trace. */
export function refusal(build: () => unknown): signing.ValidationError {
  try {
    build();
  } catch (error) {
    if (error instanceof signing.ValidationError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

/** Codes and paths of what was found. */
export const found = ({ findings }: signing.ValidationError): string[] =>
  findings.map(({ code, path }) => `${code} ${path.join(".")}`);
