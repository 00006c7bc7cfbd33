import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { startCommand, succeeded, type Ended, type Started } from "../e2e/support/command";
import { compileOnlyChanges, packedProject } from "./packed-project";

const installed = new Map<string, string>();

/** The folder in which the packages of a library are installed. Projects below it share them. */
function packagesFor(library: string): string {
  const others = ["constructs", "typescript", "jest", "ts-jest", "@types/jest", "@types/node"];
  const found = installed.get(library);
  if (found !== undefined) return found;
  const folder = packedProject([library, ...others]);
  compileOnlyChanges(folder);
  installed.set(library, folder);
  return folder;
}

/** A project that `trivet init` writes, and whose scripts run as a user runs them. */
export class NewProject {
  readonly folder: string;
  readonly #parent: string;
  readonly #env: NodeJS.ProcessEnv;
  /** The names of scripts and commands that have been run. */
  readonly #run = new Set<string>();

  constructor(
    readonly kind: string,
    readonly library: string,
  ) {
    this.#parent = packagesFor(library);
    this.folder = join(this.#parent, kind);
    const home = join(this.#parent, `home-of-${kind}`);
    mkdirSync(home, { recursive: true });
    this.#env = {
      PATH: process.env["PATH"],
      HOME: home,
      TF_CLI_ARGS: "-no-color",
      npm_config_update_notifier: "false",
    };
  }

  /** Writes the project. */
  async write(): Promise<void> {
    const init = ["init", this.kind, this.kind, "--library", this.library];
    const options = { cwd: this.#parent, env: this.#env };
    await succeeded("trivet init", startCommand("npx", ["trivet", ...init], options));
    // npx looks in the folder of the project only.
    symlinkSync(join("..", "node_modules"), join(this.folder, "node_modules"));
  }

  /** Runs a script of the project, which must succeed. */
  run(script: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return succeeded(`npm run ${script}`, this.start(script, args, env));
  }

  /** Runs a command of the installed package, which must succeed. */
  command(...args: readonly string[]): Promise<Ended> {
    return this.shell(`npx trivet ${args.join(" ")}`);
  }

  /** Returns the scripts and commands that the project's documents name, and that have not been run. */
  untried(): readonly string[] {
    const documents = `${this.read("README.md")}\n${this.read("AGENTS.md")}`;
    return [...namesIn(documents)].filter((name) => !this.#run.has(name));
  }

  /** Runs a line of shell in the folder, which must succeed. */
  shell(line: string): Promise<Ended> {
    for (const name of namesIn(line)) this.#run.add(name);
    const options = { cwd: this.folder, env: this.#env };
    return succeeded(line, startCommand("sh", ["-c", line], options));
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  /** Starts a script of the project. */
  start(script: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Started {
    this.#run.add(script);
    const options = { cwd: this.folder, env: { ...this.#env, ...env } };
    return startCommand("npm", ["run", script, "--", ...args], options);
  }

  /** Starts a script that serves until it is stopped, and returns the first match in its output. */
  async serve(script: string, args: readonly string[], ready: RegExp): Promise<Served> {
    return await served(`npm run ${script}`, this.start(script, args), ready);
  }

  /** As {@link serve}, for a command of the package. */
  serveCommand(args: readonly string[], ready: RegExp): Promise<Served> {
    for (const name of args.slice(0, 1)) this.#run.add(name);
    const options = { cwd: this.folder, env: this.#env };
    return served(args.join(" "), startCommand("npx", ["trivet", ...args], options), ready);
  }
}

interface Served {
  readonly match: RegExpExecArray;
  readonly stop: () => Promise<void>;
}

async function served(name: string, { child, ended }: Started, ready: RegExp): Promise<Served> {
  let output = "";
  const match = await new Promise<RegExpExecArray>((resolve, reject) => {
    child.stdout?.on("data", (data: Buffer) => {
      output += data.toString();
      const found = ready.exec(output);
      if (found !== null) resolve(found);
    });
    void ended.then((result) => {
      reject(new Error(`${name} ended too soon:\n${result.output}`));
    }, reject);
  });
  const stop = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    await ended;
  };
  return { match, stop };
}

/** The scripts, and the commands of the package, in a text: both have the same names. */
const namesIn = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/npm (?:run )?(test\b|(?<=run )[\w:]+)|npx trivet (\w+)/g)].map(
      ([, script, command = ""]) => script ?? command,
    ),
  );
