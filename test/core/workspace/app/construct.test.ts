import { TerraformVariable, Token } from "cdktf";
import { Construct } from "constructs";
import { workspace } from "../../../../src";
import { found, newAgent, newStack, read, refusal, resources, warnings } from "../synthesized";

const base = { agentId: "a", slug: "editor", url: "http://localhost:8080" };

describe("the synthesized JSON", () => {
  test("of everything that a web server takes", () => {
    const stack = newStack();
    new workspace.App(stack, "editor", {
      agentId: newAgent(stack).agentId,
      slug: "editor",
      url: "http://localhost:8080/?folder=/src",
      displayName: "Editor",
      group: "Tools",
      healthcheck: { url: "http://localhost:8080/healthz", interval: 5, threshold: 6 },
      hidden: false,
      icon: "/icon/code.svg",
      openIn: workspace.AppOpenIn.TAB,
      order: 1,
      share: workspace.AppShare.AUTHENTICATED,
      subdomain: true,
      tooltip: "**Edit** here",
    });
    expect(resources(stack, "workspace_app")).toMatchSnapshot();
  });

  test("of a command and of a link", () => {
    const stack = newStack();
    new workspace.App(stack, "top", { agentId: "a", slug: "top", command: "top" });
    const url = "https://help.example.com";
    new workspace.App(stack, "help", { agentId: "a", slug: "help", url, external: true });
    expect(resources(stack, "workspace_app")).toEqual({
      top: { agent_id: "a", slug: "top", command: "top" },
      help: { agent_id: "a", slug: "help", url, external: true },
    });
  });

  test("of tokens", () => {
    const stack = newStack();
    const text = new TerraformVariable(stack, "text", { type: "string" });
    const count = new TerraformVariable(stack, "count", { type: "number" });
    const flag = new TerraformVariable(stack, "flag", { type: "bool" });
    new workspace.App(stack, "editor", {
      agentId: text.stringValue,
      slug: text.stringValue,
      url: `http://localhost:${Token.asString(count.value)}`,
      share: Token.asAny(text.stringValue),
      openIn: Token.asAny(text.stringValue),
      subdomain: flag.booleanValue,
      order: count.numberValue,
      healthcheck: { url: text.stringValue, interval: count.numberValue, threshold: 1 },
    });
    expect(resources(stack, "workspace_app")).toEqual({
      editor: {
        agent_id: "${var.text}",
        slug: "${var.text}",
        url: "http://localhost:${var.count}",
        share: "${var.text}",
        open_in: "${var.text}",
        subdomain: "${var.flag}",
        order: "${var.count}",
        healthcheck: { url: "${var.text}", interval: "${var.count}", threshold: 1 },
      },
    });
  });
});

test("deep in the tree the name in Terraform is derived from the path", () => {
  const stack = newStack();
  const group = new Construct(stack, "Group");
  const app = new workspace.App(group, "editor", base);
  new workspace.App(stack, "editor", { ...base, slug: "other" });
  expect(app.resource.friendlyUniqueId).toMatch(/^Group_editor_[\dA-F]{8}$/);
});

test.each<[string, Partial<workspace.AppProps>, string[]]>([
  ["a slug with two hyphens", { slug: "my--app" }, ["INVALID_ARGUMENT slug"]],
  ["a command and a URL", { command: "top" }, ["CONFLICT command"]],
  ["a link that is shared", { external: true, share: "public" }, ["CONFLICT external"]],
  ["an invalid enum value", { share: "team" } as never, ["INVALID_ARGUMENT share"]],
  ["too long a name", { displayName: "ü".repeat(33) }, ["INVALID_ARGUMENT displayName"]],
  [
    "half a health check",
    { healthcheck: { url: "http://localhost" } } as never,
    ["MISSING healthcheck.interval", "MISSING healthcheck.threshold"],
  ],
])("refuses %s", (_name, props, expected) => {
  const error = refusal(() => new workspace.App(newStack(), "editor", { ...base, ...props }));
  expect([error.constructPath, ...found(error)]).toEqual(["Demo/editor", ...expected]);
});

test("reports the reason, with the value", () => {
  const props = { ...base, slug: "-editor", command: "vim" };
  const error = refusal(() => new workspace.App(newStack(), "editor", props));
  expect(error.message.split("\n")).toEqual([
    "workspace.App at Demo/editor: 2 problems",
    "  slug: must consist of letters, digits and single hyphens, with no hyphen at the start or end " +
      '(got "-editor") [INVALID_ARGUMENT]',
    "  command: cannot be combined with `url`, `subdomain`, `external`, `healthcheck` (`url` is set) [CONFLICT]",
  ]);
});

test.each<[string, Partial<workspace.AppProps>, string]>([
  ["capitals in a slug", { slug: "Editor" }, "slug"],
  ["an app that opens nothing", { url: undefined }, "url"],
  ["a position of a hidden app", { hidden: true, order: 1 }, "order"],
])("warns of %s", (_name, props, path) => {
  const app = new workspace.App(newStack(), "editor", { ...base, ...props });
  expect(warnings(app)).toEqual([expect.stringMatching(new RegExp(`^${path}: .*\\[[a-z-]+\\]$`))]);
});

test("every property can be read", () => {
  const app = new workspace.App(newStack(), "editor", base);
  const ref = (name: string): string => `\${workspace_app.editor.${name}}`;
  const check = (name: string): string =>
    `\${one(flatten(workspace_app.editor.healthcheck[*].${name}))}`;
  expect(
    read(
      app,
      ...(["appId", "agentId", "slug", "command", "url", "external", "displayName"] as const),
      ...(["group", "healthcheck", "hidden", "icon", "openIn", "order", "share"] as const),
      ...(["subdomain", "tooltip"] as const),
    ),
  ).toEqual({
    appId: ref("id"),
    agentId: ref("agent_id"),
    slug: ref("slug"),
    command: ref("command"),
    url: ref("url"),
    external: ref("external"),
    displayName: ref("display_name"),
    group: ref("group"),
    healthcheck: {
      url: check("url"),
      interval: check("interval"),
      threshold: check("threshold"),
    },
    hidden: ref("hidden"),
    icon: ref("icon"),
    openIn: ref("open_in"),
    order: ref("order"),
    share: ref("share"),
    subdomain: ref("subdomain"),
    tooltip: ref("tooltip"),
  });
});

test("the type token names the resource across products", () => {
  expect(workspace.App.typeToken).toBe("trivet:workspace/v1:App");
});
