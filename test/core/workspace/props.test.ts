import { workspace } from "../../../src";
import type { ProviderMetaArguments } from "../../../src/core/construct";
import type { ArgsOf, Declaration } from "../../../src/core/schema";
import { agent, agentInstance, externalAgent } from "../../../src/core/workspace/agent/declare";
import { aiTask } from "../../../src/core/workspace/ai-task/declare";
import { app } from "../../../src/core/workspace/app/declare";
import { devcontainer } from "../../../src/core/workspace/devcontainer/declare";
import { env } from "../../../src/core/workspace/env/declare";
import { metadata } from "../../../src/core/workspace/metadata/declare";
import type { workspaceProvider } from "../../../src/core/workspace/provider/declare";
import { script } from "../../../src/core/workspace/script/declare";
import { assertType, type Maps, type Same } from "../../accept/props";
import { newAgent, newStack } from "./synthesized";

/** A name that the construct sets by default. */
type Named<Props> = Omit<Props, "name"> & { readonly name: string };

test("the props of every resource are its declaration's arguments", () => {
  assertType<Maps<workspace.AgentProps, typeof agent>>(true);
  assertType<Maps<workspace.AgentInstanceProps, typeof agentInstance>>(true);
  assertType<Maps<workspace.AiTaskProps, typeof aiTask>>(true);
  assertType<Maps<workspace.AppProps, typeof app>>(true);
  assertType<Maps<workspace.DevcontainerProps, typeof devcontainer>>(true);
  assertType<Maps<Named<workspace.EnvProps>, typeof env>>(true);
  assertType<Maps<workspace.ExternalAgentProps, typeof externalAgent>>(true);
  assertType<Maps<workspace.MetadataProps, typeof metadata>>(true);
  assertType<Maps<workspace.ScriptProps, typeof script>>(true);
});

test("the props of the provider are the declaration's arguments, and what only we read", () => {
  type Settings = Omit<workspace.WorkspaceProviderProps, keyof ProviderMetaArguments | "platform">;
  assertType<Same<keyof Settings, keyof ArgsOf<typeof workspaceProvider>>>(true);
  assertType<
    ArgsOf<typeof workspaceProvider> extends workspace.WorkspaceProviderProps ? true : false
  >(true);
});

test("the type assertions above can fail", () => {
  type Wrong = Omit<workspace.AppProps, "order"> & { readonly order?: string };
  assertType<Same<Maps<Wrong, typeof app>, "the arguments do not take the props">>(true);
  assertType<Same<Maps<Omit<workspace.AppProps, "order">, typeof app>, "other names">>(true);
});

test.each<[{ readonly prototype: object }, Declaration]>([
  [workspace.Agent, agent],
  [workspace.AgentInstance, agentInstance],
  [workspace.AiTask, aiTask],
  [workspace.App, app],
  [workspace.Devcontainer, devcontainer],
  [workspace.Env, env],
  [workspace.ExternalAgent, externalAgent],
  [workspace.Metadata, metadata],
  [workspace.Script, script],
])("every input and output is a readable property of %p", ({ prototype }, declaration) => {
  const declared = { ...declaration.attributes, ...declaration.blocks };
  expect(Object.keys(declared).filter((name) => !(name in prototype))).toEqual([]);
});

test("the compiler refuses props that the declaration lacks", () => {
  const stack = newStack();
  const declare = (): void => {
    // @ts-expect-error the architecture is required
    new workspace.Agent(stack, "a", { os: "linux" });
    // @ts-expect-error a system is one of the enum values
    new workspace.Agent(stack, "b", { os: "plan9", arch: "amd64" });
    // @ts-expect-error an output is not an input
    new workspace.Env(stack, "c", { agentId: "a", envId: "e" });
    // @ts-expect-error an item has a key
    new workspace.Metadata(stack, "d", { items: [{ value: "v" }] });
    const main = newAgent(stack);
    // @ts-expect-error the arguments of a construct are read-only
    main.order = 1;
  };
  expect(declare).toThrow(workspace.ValidationError);
});
