import { TerraformVariable } from "cdktf";
import { workspace } from "../../../../src";
import { found, newAgent, newStack, read, refusal, resources, warnings } from "../synthesized";

const base = { agentId: "a", displayName: "Install", script: "make install" };

test("the synthesized JSON of everything set", () => {
  const stack = newStack();
  new workspace.Script(stack, "install", {
    agentId: newAgent(stack).agentId,
    displayName: "Install",
    script: "make install",
    icon: "/icon/tools.svg",
    logPath: "install.log",
    runOnStart: true,
    runOnStop: true,
    startBlocksLogin: true,
    cron: "0 0 3 * * *",
    timeout: 600,
  });
  expect(resources(stack, "workspace_script")).toEqual({
    install: {
      agent_id: "${workspace_agent.main.id}",
      display_name: "Install",
      script: "make install",
      icon: "/icon/tools.svg",
      log_path: "install.log",
      run_on_start: true,
      run_on_stop: true,
      start_blocks_login: true,
      cron: "0 0 3 * * *",
      timeout: 600,
    },
  });
});

test("a trigger may be a token", () => {
  const stack = newStack();
  const flag = new TerraformVariable(stack, "flag", { type: "bool" });
  const runOnStart = flag.booleanValue;
  new workspace.Script(stack, "install", { ...base, runOnStart, startBlocksLogin: true });
  expect(resources(stack, "workspace_script")).toHaveProperty(
    "install.run_on_start",
    "${var.flag}",
  );
});

test("shell syntax that Terraform would interpret is refused", () => {
  const script = "echo ${HOME}";
  const build = () => new workspace.Script(newStack(), "s", { ...base, script, runOnStart: true });
  expect(found(refusal(build))).toEqual(["LITERAL_INTERPOLATION script"]);
});

test.each<[string, Partial<workspace.ScriptProps>, string]>([
  ["a script that never runs", {}, "MISSING runOnStart"],
  [
    "a login that waits for no start",
    { runOnStop: true, startBlocksLogin: true },
    "REQUIRES startBlocksLogin",
  ],
  ["a cron line of four fields", { cron: "0 0 3 *" }, "INVALID_ARGUMENT cron"],
  ["a negative timeout", { runOnStart: true, timeout: -1 }, "INVALID_ARGUMENT timeout"],
])("refuses %s", (_name, props, expected) => {
  const error = refusal(() => new workspace.Script(newStack(), "s", { ...base, ...props }));
  expect([error.constructPath, ...found(error)]).toEqual(["Demo/s", expected]);
});

test("reports what a script needs", () => {
  const error = refusal(() => new workspace.Script(newStack(), "s", base));
  expect(error.message).toBe(
    "workspace.Script at Demo/s: 1 problem\n" +
      "  runOnStart: needs at least one of `runOnStart`, `runOnStop`, `cron` [MISSING]",
  );
});

test("a crontab line gets a warning", () => {
  const script = new workspace.Script(newStack(), "s", { ...base, cron: "0 3 * * 1" });
  expect(warnings(script)).toEqual([expect.stringContaining("[script-cron-seconds]")]);
});

test("every property can be read", () => {
  const script = new workspace.Script(newStack(), "s", { ...base, cron: "@hourly" });
  const ref = (name: string): string => `\${workspace_script.s.${name}}`;
  expect(
    read(
      script,
      ...(["scriptId", "agentId", "displayName", "script", "icon", "logPath"] as const),
      ...(["runOnStart", "runOnStop", "startBlocksLogin", "cron", "timeout"] as const),
    ),
  ).toEqual({
    scriptId: ref("id"),
    agentId: ref("agent_id"),
    displayName: ref("display_name"),
    script: ref("script"),
    icon: ref("icon"),
    logPath: ref("log_path"),
    runOnStart: ref("run_on_start"),
    runOnStop: ref("run_on_stop"),
    startBlocksLogin: ref("start_blocks_login"),
    cron: ref("cron"),
    timeout: ref("timeout"),
  });
});

test("the type token names the resource across products", () => {
  expect(workspace.Script.typeToken).toBe("trivet:workspace/v1:Script");
});
