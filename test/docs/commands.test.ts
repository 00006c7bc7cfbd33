import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { createProgram } from "../../src/cli/program";
import { createProviderProgram } from "../../src/cli/provider-program";
import { pages, root, withoutFences } from "./page";

const programs = { trivet: createProgram(), "trivet-provider": createProviderProgram() };
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
  devDependencies: Record<string, string>;
};
/** The scripts of the projects that `trivet init` and `trivet-provider new` write, which the guides use. */
const projectScripts = Object.assign({}, ...scriptFiles()) as Record<string, string>;
const lines = pages().flatMap(({ path, commands }) =>
  commands.map((line) => [path, line] as const),
);

/** What sentences name, also those of our messages, which `docs/reference/messages` lists. */
const named = [...pages().map(({ path }) => path), ...readmesOfProjects()].flatMap((path) =>
  [
    ...withoutFences(readFileSync(join(root, path), "utf8")).matchAll(
      /`((?:npx )?(?:trivet|trivet-provider) [a-z][^`]*)`/g,
    ),
  ].map(([, call = ""]) => [path, call] as const),
);

/** The Trivet commands in a line. `trivet exec --` runs another one. */
const calls = [...lines, ...named].flatMap(([path, line]) =>
  line.split(" -- ").flatMap((part) => {
    const [, program, call = ""] = /(?:^|\s)(trivet|trivet-provider)\s+([^|;&]*)/.exec(part) ?? [];
    return program === undefined ? [] : [[path, program, call.trim()] as const];
  }),
);

test.each(calls)("%s: `%s %s` is a command with these options", (_, program, call) => {
  expect(Object.keys(programs)).toContain(program);
  const { commands } = programs[program as keyof typeof programs];
  const [name = "", ...rest] = call.split(/\s+/);
  let command: Command | undefined = commands.find((each) => each.name() === name);
  for (const word of rest) {
    const sub = command?.commands.find((each) => each.name() === word);
    if (sub === undefined) break;
    command = sub;
  }
  expect(command?.name()).toBeDefined();
  const known = [...(command?.options.map(({ long }) => long) ?? []), "--help"];
  const used = rest.filter((word) => /^--./.test(word));
  expect(used.filter((option) => !known.includes(option))).toEqual([]);
});

test("no command installs a package whose name somebody else could register", () => {
  const names = lines.flatMap(([, line]) => {
    const [, npx] = /\bnpx (?!--package )(\S+)/.exec(line) ?? [];
    const [, installed = ""] = /\bnpm (?:install|i|exec)((?: +[^|;&\s]+)+)/.exec(line) ?? [];
    const packages = installed.split(" ").filter((word) => word !== "" && !word.startsWith("-"));
    return [...packages, ...(npx === undefined ? [] : [npx])];
  });
  const unscoped = names
    // A file is not a name. In a project, npx runs the command of the package that is installed there.
    .filter((name) => !(name.startsWith("@trivet/") || name.startsWith("../") || name in programs))
    .map((name) => name.replace(/(.)@.*$/, "$1"));
  expect(names).toContain("trivet");
  // The packages of others that are used here exist. `cdktf` is the command of cdktf-cli.
  const known = Object.keys(manifest.devDependencies);
  expect(unscoped.filter((name) => !known.includes(name))).toEqual([]);
});

test("our commands have one spelling", () => {
  const others = /\bnpx (?:--no )?@trivet\//;
  expect(lines.filter(([, line]) => others.test(line))).toEqual([]);
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

function readmesOfProjects(): string[] {
  return readdirSync(join(root, "templates"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `templates/${name}`);
}

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
