import { join } from "node:path";
import { onPath, skippedWithout } from "../on-path";
import { root } from "./support/build";
import { startCommand } from "./support/command";
import { scenario } from "./support/scenario";
import { StackProject } from "./support/stack-project";

/** An editor that is not ours, with its own client. */
const neovim = onPath("nvim");
const what = "`trivet lsp` in Neovim";

skippedWithout(neovim === undefined ? ["nvim"] : [], what);

(neovim === undefined ? [] : [neovim]).map((editor) => {
  it(`${what}: shows a warning, says what will happen, and acknowledges the warning`, async () => {
    const { service, workspace } = await scenario("terraform");
    const made = new StackProject(service, workspace);
    made.write(`const one = stack("one");
new ids.Endpoint(one, "edge", {
  endpointId: "edge",
  network: "projects/acme/global/networks/main",
});`);
    const script = join(root, "test/e2e/support/editor.lua");
    const args = ["--headless", "--clean", "-n", "-c", `luafile ${script}`];
    const { ended } = startCommand(editor, args, {
      cwd: made.folder,
      env: {
        ...made.env,
        TRIVET_COMMAND: JSON.stringify([process.execPath, ...made.commandLine("lsp", [])]),
        TRIVET_FILE: join(made.folder, "main.js"),
      },
    });
    const { stdout, output, code } = await ended;
    const steps = stdout.split("\n").flatMap((line) => {
      if (!line.startsWith("{")) return [];
      const { step, value } = JSON.parse(line) as {
        readonly step: string;
        readonly value: unknown;
      };
      return [[step, value] as const];
    });
    expect({ steps, output, code }).toMatchObject({ code: 0 });
    expect(Object.fromEntries(steps)).toEqual({
      warning: [
        {
          line: 15,
          severity: 2,
          message: expect.stringMatching(/^severity: should be set/) as unknown,
        },
      ],
      hover: expect.stringContaining("+ ids_endpoint.edge at main.js:15:1") as unknown,
      action: "Acknowledge endpoint-without-severity",
      text: expect.stringContaining(`const edge = new ids.Endpoint(one, "edge", {
  endpointId: "edge",
  network: "projects/acme/global/networks/main",
});
acknowledge(edge, "endpoint-without-severity", "Say why this is intended.");`) as unknown,
    });
  });
});
