import { DefaultTokenResolver, StringConcat, TerraformStack, Testing, Tokenization } from "cdktf";
import type { Construct } from "constructs";
import { workspace } from "../../../src";

/** A part of the JSON that Terraform reads. */
export type Json = Readonly<Record<string, unknown>>;

/** A stack with the provider. */
export function newStack(): TerraformStack {
  const stack = new TerraformStack(Testing.app(), "Demo");
  new workspace.WorkspaceProvider(stack, "workspace");
  return stack;
}

/** An agent with its required properties. */
export function newAgent(scope: Construct, id = "main"): workspace.Agent {
  return new workspace.Agent(scope, id, { os: "linux", arch: "amd64" });
}

/** The synthesized stack, validated. */
export function synthesized(stack: TerraformStack): Json {
  return JSON.parse(Testing.synth(stack, true)) as Json;
}

/** The synthesized resources of one type, by name. */
export function resources(stack: TerraformStack, type: string): Json {
  const section = synthesized(stack)["resource"] as Readonly<Record<string, Json>>;
  return section[type] ?? {};
}

/** The synthesized values of some properties of a construct. */
export function read<Name extends string>(
  construct: Construct & Readonly<Record<Name, unknown>>,
  ...names: readonly Name[]
): Json {
  return Object.fromEntries(
    names.map((name) => [name, optionalComputed(construct, construct[name])]),
  );
}

/** What happens to tokens in a scope. */
export function optionalComputed(scope: Construct, value: unknown): unknown {
  const resolver = new DefaultTokenResolver(new StringConcat());
  return Tokenization.resolve(value, { scope, resolver });
}

/** The messages of the warnings at a construct. */
export function warnings(construct: Construct): unknown[] {
  return construct.node.metadata
    .filter(({ type }) => type.endsWith("warn"))
    .map(({ data }): unknown => data);
}

/** What a constructor throws, without the stack trace. */
export function refusal(build: () => unknown): workspace.ValidationError {
  try {
    build();
  } catch (error) {
    if (error instanceof workspace.ValidationError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

/** Codes and paths of the findings. */
export const found = ({ findings }: workspace.ValidationError): string[] =>
  findings.map(({ code, path }) => `${code} ${path.join(".")}`);
