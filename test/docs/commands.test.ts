import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { doctorCommand } from "../../src/cli/commands/doctor";
import { execCommand } from "../../src/cli/commands/exec";
import { installCommand } from "../../src/cli/commands/install";
import { localCommand } from "../../src/cli/commands/local";
import { pages, root } from "./page";

const trivet = [installCommand(), execCommand(), localCommand(), doctorCommand()];
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
const lines = pages().flatMap(({ path, commands }) =>
  commands.map((line) => [path, line] as const),
);

test.each(lines.filter(([, line]) => line.includes("trivet ")))(
  "%s: `%s` is a command with these options",
  (_, line) => {
    const [, words = ""] = /(?:^|\s)trivet\s+([^|;&]*)/.exec(line) ?? [];
    const [own = ""] = words.split(" -- ");
    const [name = "", ...rest] = own.trim().split(/\s+/);
    let command: Command | undefined = trivet.find((each) => each.name() === name);
    const sub = command?.commands.find((each) => each.name() === rest[0]);
    command = sub ?? command;
    expect(command?.name()).toBeDefined();
    const known = [...(command?.options.map(({ long }) => long) ?? []), "--help"];
    const used = rest.filter((word) => word.startsWith("--"));
    expect(used.filter((option) => !known.includes(option))).toEqual([]);
  },
);

test("`npm run` is followed by a script of this package", () => {
  const used = lines.flatMap(([, line]) => [...line.matchAll(/\bnpm run (\S+)/g)]);
  const names = used.map(([, name = ""]) => name);
  expect(names.filter((name) => !(name in manifest.scripts))).toEqual([]);
});
