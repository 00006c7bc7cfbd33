import { TerraformCount, TerraformIterator, TerraformVariable } from "cdktf";
import { workspace } from "../../../../src";
import type { StackRule } from "../../../../src/core/construct";
import { uniqueAppSlugs } from "../../../../src/core/workspace/app/construct";
import { uniqueParameterNames } from "../../../../src/core/workspace/parameter/rules";
import {
  oneDefaultPreset,
  uniquePresetNames,
} from "../../../../src/core/workspace/preset/construct";
import { findingsOf as found, newAgent, newTemplate } from "./template";

/** The findings of a rule for constructs of one type. */
const findingsOf = (rule: StackRule, stack: ReturnType<typeof newTemplate>): readonly string[] =>
  found((members, context) => {
    const type = rule === uniqueAppSlugs ? "workspace_app" : /_(parameter|workspace_preset)$/;
    return rule(
      members.filter(({ type: { declaration } }) => RegExp(type).test(declaration.type)),
      context,
    );
  }, stack);

type AppProps = Partial<workspace.AppProps>;

function slugs(first: AppProps, second: AppProps): readonly string[] {
  const stack = newTemplate();
  const { agentId } = newAgent(stack);
  const app = (id: string, props: AppProps) =>
    new workspace.App(stack, id, { agentId, slug: "code", command: "top", ...props });
  app("a", first);
  app("b", second);
  return findingsOf(uniqueAppSlugs, stack);
}

describe("two apps with the same slug", () => {
  test("are refused, even of two agents", () => {
    const stack = newTemplate();
    for (const name of ["one", "two"]) newAgent(stack, name).addApp("code", { command: "top" });
    expect(findingsOf(uniqueAppSlugs, stack)).toEqual([
      'error DUPLICATE Demo/two/code: slug: must differ from that of Demo/one/code: it must be unique in the template, across all agents and ignoring case (got "code")',
    ]);
  });

  test("are refused when only the case differs", () => {
    expect(slugs({}, { slug: "Code" })).toEqual([expect.stringContaining('(got "Code")')]);
  });

  test("are accepted when they differ, or when only Terraform knows one", () => {
    expect(slugs({}, { slug: "docs" })).toEqual([]);
    expect(slugs({ slug: "${var.slug}" }, { slug: "${var.slug}" })).toEqual([]);
  });

  test("are found where one exists only in some builds", () => {
    expect(slugs({}, { count: TerraformCount.of(1) })).toHaveLength(1);
    const stack = newTemplate();
    const start = new workspace.DataWorkspace(stack, "me").startCount;
    const { agentId } = newAgent(stack);
    const app = { agentId, slug: "code", command: "top" };
    new workspace.App(stack, "a", { ...app, count: start });
    new workspace.App(stack, "b", app);
    expect(findingsOf(uniqueAppSlugs, stack)).toEqual([expect.stringContaining("Demo/b: slug")]);
  });

  test("are found where both have the same condition, and are alternatives where they do not", () => {
    const stack = newTemplate();
    const me = new workspace.DataWorkspace(stack, "me");
    const { agentId } = newAgent(stack);
    const app = (id: string, slug: string, count: number) =>
      new workspace.App(stack, id, { agentId, slug, command: "top", count });
    app("a", "code", me.startCount);
    app("b", "code", me.startCount);
    app("c", "docs", me.startCount);
    app("d", "docs", me.prebuildCount);
    expect(findingsOf(uniqueAppSlugs, stack)).toEqual([expect.stringContaining("Demo/b: slug")]);
  });

  test("may be alternatives that a number or a condition chooses from", () => {
    expect(slugs({ count: 1 }, { count: 0 })).toEqual([]);
    const forEach = TerraformIterator.fromList(["x"]);
    expect(slugs({ forEach }, { forEach: TerraformIterator.fromList(["y"]) })).toEqual([]);
  });

  test("can come from a count", () => {
    expect(slugs({ slug: "docs" }, { count: 2 })).toEqual([
      'error DUPLICATE Demo/b: slug: must differ in each of the 2 instances, because it must be unique in the template, across all agents and ignoring case: include the index in it (got "code")',
    ]);
    expect(slugs({ slug: "docs" }, { count: 2, slug: "code-${count.index}" })).toEqual([]);
  });

  test("can be alternatives by an override of count", () => {
    const stack = newTemplate();
    const { agentId } = newAgent(stack);
    const app = { agentId, slug: "code", command: "top" };
    new workspace.App(stack, "a", app).addOverride("count", "${var.a ? 1 : 0}");
    new workspace.App(stack, "b", app).addOverride("count", "${var.a ? 0 : 1}");
    expect(findingsOf(uniqueAppSlugs, stack)).toEqual([]);
  });
});

describe("names of parameters and presets", () => {
  test("are refused the second time, and the third", () => {
    const stack = newTemplate();
    for (const id of ["a", "b", "c"]) new workspace.DataParameter(stack, id, { name: "region" });
    expect(findingsOf(uniqueParameterNames, stack)).toEqual([
      'error DUPLICATE Demo/b: name: must differ from that of Demo/a: it must be unique in the template (got "region")',
      expect.stringContaining("Demo/c: name: must differ from that of Demo/a"),
    ]);
  });

  test("are accepted when the case differs", () => {
    const stack = newTemplate();
    new workspace.DataParameter(stack, "a", { name: "region" });
    new workspace.DataParameter(stack, "b", { name: "Region" });
    expect(findingsOf(uniqueParameterNames, stack)).toEqual([]);
  });

  test("of presets are refused too", () => {
    const stack = newTemplate();
    for (const id of ["a", "b"]) new workspace.DataWorkspacePreset(stack, id, { name: "Large" });
    expect(findingsOf(uniquePresetNames, stack)).toEqual([
      expect.stringContaining("error DUPLICATE Demo/b: name"),
    ]);
  });
});

describe("default presets", () => {
  const presets = (...defaults: NonNullable<workspace.DataWorkspacePresetProps["default"]>[]) => {
    const stack = newTemplate();
    defaults.forEach((value, index) => {
      const name = `p${index}`;
      new workspace.DataWorkspacePreset(stack, name, { name, default: value });
    });
    return findingsOf(oneDefaultPreset, stack);
  };

  test("are refused from the second one on", () => {
    expect(presets(true, false, true, true)).toEqual([
      "error DUPLICATE Demo/p2: default: must be true for only one preset, but is already true for Demo/p0",
      "error DUPLICATE Demo/p3: default: must be true for only one preset, but is already true for Demo/p0",
    ]);
  });

  test("are refused when count makes them several", () => {
    const stack = newTemplate();
    const props = { name: "p-${count.index}", default: true, count: 2 };
    new workspace.DataWorkspacePreset(stack, "p", props);
    expect(findingsOf(oneDefaultPreset, stack)).toEqual([
      "error DUPLICATE Demo/p: default: must be true for only one preset, but is already true for another instance",
    ]);
  });

  test("may be one, or one that only Terraform knows", () => {
    expect(presets(true, false)).toEqual([]);
    const variable = new TerraformVariable(newTemplate(), "v", {});
    expect(presets(true, variable.booleanValue)).toEqual([]);
  });
});
