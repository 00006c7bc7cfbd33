import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { LanguageClient } from "./support/language-client";
import { scenario } from "./support/scenario";
import { StackProject } from "./support/stack-project";

/** An app whose plans take long: each local takes all the work that it may. */
const busy = `const loop = (depth) => depth === 0 ? "1" : \`[for x\${depth} in range(1000) : \${loop(depth - 1)}]\`;
for (let at = 0; at < 20; at += 1) {
  const busy = stack("busy-" + at);
  const locals = Array.from({ length: 9 }, (_, at) => ["x" + at, "\${" + loop(4) + "}"]);
  busy.addOverride("locals", Object.fromEntries(locals));
  endpoint(busy, "edge");
}`;

async function project(body: string): Promise<StackProject> {
  const { service, workspace } = await scenario("terraform");
  const made = new StackProject(service, workspace);
  made.write(body);
  return made;
}

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe("`trivet check` of expressions that take too much work", () => {
  it("says which, and plans the rest", async () => {
    const made = await project(busy.replace("at < 20", "at < 1"));
    const { code, stdout } = await made.run("check");
    expect(stdout).toContain("? local.x0: not known: too much work");
    expect(stdout).toContain("busy-0: 1 to add");
    expect(code).toBe(0);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("ends at the first %s", async (signal) => {
    const made = await project(busy);
    const { child, ended } = made.start("check", []);
    let shown = "";
    child.stdout?.on("data", (data: Buffer) => (shown += data.toString()));
    await until(() => shown.includes("busy-0: "));
    child.kill(signal);
    const { stdout } = await ended;
    expect(child.signalCode ?? child.exitCode).toBe(signal);
    expect(stdout).not.toContain("busy-19");
  });
});

describe("`trivet lsp`", () => {
  const opened = async (body: string): Promise<[StackProject, LanguageClient]> => {
    const made = await project(`${body}\nrequire("fs").writeFileSync("begun", "");`);
    const editor = await LanguageClient.open(made, "main.js", () => true);
    await until(() => existsSync(join(made.folder, "begun")));
    return [made, editor];
  };

  it.each([
    ["idle", `endpoint(stack("one"), "edge");`],
    ["busy", busy],
  ])(
    "ends at the first SIGTERM, at its closed input and when it is told to, %s",
    async (_, body) => {
      const ways: readonly (readonly [(editor: LanguageClient) => unknown, unknown])[] = [
        [({ child }) => child.kill("SIGTERM"), 143],
        [({ child }) => child.stdin?.destroy(), 1],
        [(editor) => editor.close(), 0],
      ];
      for (const [end, expected] of ways) {
        const [made, editor] = await opened(body);
        const ended = once(editor.child, "exit");
        await end(editor);
        const [code] = (await ended) as unknown[];
        expect(code).toBe(expected);
        expect(made.leftovers()).toEqual([]);
      }
    },
  );
});
