import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { createProgram } from "../../src/cli/program";
import { pages, root } from "./page";

const trivet = createProgram().commands;
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
/** The scripts of the projects that `trivet init` and `trivet new` write, which the guides use. */
const projectScripts = Object.assign({}, ...scriptFiles()) as Record<string, string>;
const lines = pages().flatMap(({ path, commands }) =>
  commands.map((line) => [path, line] as const),
);

/** The Trivet commands in a line. `trivet exec --` runs another one. */
const calls = lines.flatMap(([path, line]) =>
  line.split(" -- ").flatMap((part) => {
    const [, call] = /(?:^|\s)trivet\s+([^|;&]*)/.exec(part) ?? [];
    return call === undefined ? [] : [[path, call.trim()] as const];
  }),
);

test.each(calls)("%s: `trivet %s` is a command with these options", (_, call) => {
  const [name = "", ...rest] = call.split(/\s+/);
  let command: Command | undefined = trivet.find((each) => each.name() === name);
  for (const word of rest) {
    const sub = command?.commands.find((each) => each.name() === word);
    if (sub === undefined) break;
    command = sub;
  }
  expect(command?.name()).toBeDefined();
  const known = [...(command?.options.map(({ long }) => long) ?? []), "--help"];
  const used = rest.filter((word) => word.startsWith("--"));
  expect(used.filter((option) => !known.includes(option))).toEqual([]);
});

test("programs of users run with source maps, so that errors name their own lines", () => {
  const shown = [...lines.map(([, line]) => line), ...Object.values(projectScripts)];
  const programs = shown.flatMap((line) => /\bnode .*\bmain\.js\b/.exec(line)?.[0] ?? []);
  expect(programs).not.toEqual([]);
  expect(programs.filter((line) => !line.includes("node --enable-source-maps "))).toEqual([]);
});

test("`npm run` is followed by a script of this package, or of a new project", () => {
  const used = lines.flatMap(([, line]) => [...line.matchAll(/\bnpm run (\S+)/g)]);
  const names = used.map(([, name = ""]) => name);
  expect(names.filter((name) => !(name in manifest.scripts || name in projectScripts))).toEqual([]);
});

function scriptFiles(): Record<string, string>[] {
  const templates = join(root, "templates", "init");
  const manifests = [join(root, "templates", "provider"), templates].map(
    (folder) =>
      json(join(folder, "project", "package.json")) as { scripts: Record<string, string> },
  );
  const added = readdirSync(templates)
    .map((kind) => join(templates, kind, "scripts.json"))
    .filter((file) => existsSync(file));
  const own = manifests.map(({ scripts }) => scripts);
  return [...own, ...added.map((file) => json(file) as Record<string, string>)];
}

function json(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
