import { constants } from "node:fs";
import { access, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { CallContext } from "../../../http/call-context";
import {
  isHelper,
  addedFields,
  cueAnswer,
  cueInputFile,
  cuePolicyFile,
  describeAdded,
  evalAnswer,
  evalArguments,
  lineOf,
  policyArguments,
  unionArguments,
  unionMaxBytes,
  vetArguments,
  withConflict,
} from "./evaluate-cue";
import {
  annotationArguments,
  annotationProblem,
  capabilitiesArguments,
  capabilitiesFile,
  mayHaveAnnotations,
  regoAnswer,
  regoArguments,
  regoPolicyFile,
  restrictedCapabilities,
} from "./evaluate-rego";
import {
  type EngineRun,
  type PolicyProgram,
  type ProgramAnswer,
  refuses,
  runEngine,
  undecided,
} from "./run-engine";

/** The program that evaluates a language, and where to get it. */
const engines = {
  cue: { program: "cue", install: "https://cuelang.org/docs/introduction/installation/" },
  rego: { program: "opa", install: "https://www.openpolicyagent.org/docs/latest/#running-opa" },
} as const satisfies Record<PolicyProgram["type"], object>;

/**
 * Evaluates programs with `cue` and `opa`, which are found on `PATH`. Each evaluation runs in its own process,
 * in a private folder that is removed afterwards.
 */
export class PolicyEngines {
  readonly #path: string;
  readonly #timeoutMs: number;
  readonly #found = new Map<string, Promise<string | undefined>>();
  #capabilities: Promise<string | undefined> | undefined;
  readonly #context: CallContext;

  /** @param timeoutMs the longest time for one evaluation */
  constructor(environment: Readonly<NodeJS.ProcessEnv>, context: CallContext, timeoutMs = 10_000) {
    this.#context = context;
    // Relative entries are dropped: an engine must not come from the working directory.
    this.#path = (environment["PATH"] ?? "").split(":").filter(isAbsolute).join(":");
    this.#timeoutMs = timeoutMs;
  }

  /** Explains why a language cannot be evaluated; undefined if it can be. */
  async missing(type: PolicyProgram["type"]): Promise<string | undefined> {
    const { program, install } = engines[type];
    if ((await this.#find(program)) !== undefined) return undefined;
    const language = type === "cue" ? "CUE" : "Rego";
    return `${language} is evaluated by ${program}, which is not on PATH: install it (${install})`;
  }

  /** Evaluates a program over JSON. Any failure is an answer that refuses. */
  async evaluate(program: PolicyProgram, input: string): Promise<ProgramAnswer> {
    const { type, data } = program;
    const missing = await this.missing(type);
    if (missing !== undefined) return undecided(missing);
    return type === "cue" ? this.#cue(program, input) : this.#rego(data, input);
  }

  /**
   * `cue vet` unites the input with the policy. It accepts a policy that sets what the input lacks, so the union is
   * compared with the input, unless the policy may add to it.
   */
  async #cue({ data, missing = "refused" }: PolicyProgram, input: string): Promise<ProgramAnswer> {
    const run = (args: readonly string[], json: string, maxBytes?: number): Promise<EngineRun> =>
      this.#run("cue", args, { [cuePolicyFile]: data, [cueInputFile]: json }, "", maxBytes);
    if (missing === "allowed") {
      // Alone, because `cue eval` passes over a policy with the attribute @ignore.
      const own = cueAnswer(await run(policyArguments, input));
      if (!own.isCompliant) return own;
      return evalAnswer(await run(evalArguments, input, unionMaxBytes(input)));
    }
    const answer = cueAnswer(await run(vetArguments, input));
    if (!answer.isCompliant) return answer;
    const added = addedFields(await run(unionArguments, input, unionMaxBytes(input)), input);
    if ("problem" in added) return refuses(added.problem);
    const paths = added.paths.filter(
      ([name, ...rest]) => rest.length > 0 || !isHelper(String(name), data),
    );
    const [first] = paths;
    if (first === undefined) return answer;
    const line = lineOf(await run(vetArguments, withConflict(input, first)));
    return refuses(describeAdded(paths, line));
  }

  async #rego(data: string, input: string): Promise<ProgramAnswer> {
    this.#capabilities ??= this.#run("opa", capabilitiesArguments, {}).then(restrictedCapabilities);
    const capabilities = await this.#capabilities;
    if (capabilities === undefined) {
      return undecided("opa does not print its capabilities");
    }
    const files = { [regoPolicyFile]: data };
    if (mayHaveAnnotations(data)) {
      const problem = annotationProblem(await this.#run("opa", annotationArguments, files));
      if (problem !== undefined) return refuses(problem);
    }
    const all = { ...files, [capabilitiesFile]: capabilities };
    return regoAnswer(await this.#run("opa", regoArguments, all, input));
  }

  async #run(
    program: "cue" | "opa",
    args: readonly string[],
    files: Readonly<Record<string, string>>,
    input = "",
    maxBytes?: number,
  ): Promise<EngineRun> {
    const found = await this.#find(program);
    if (found === undefined) return { problem: "is not on PATH" };
    // Only its owner can read the folder.
    const folder = await mkdtemp(join(tmpdir(), "trivet-policy-"));
    try {
      // Without this folder, `cue` looks for modules in the folders above, which others may write.
      if (program === "cue") await mkdir(join(folder, "cue.mod"), { mode: 0o700 });
      for (const [name, content] of Object.entries(files)) {
        await writeFile(join(folder, name), content, { mode: 0o600 });
      }
      const [path, timeoutMs] = [this.#path, this.#timeoutMs];
      const command = { program: found, args, folder, path, input, timeoutMs, maxBytes };
      return await runEngine(command, this.#context);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #find(program: string): Promise<string | undefined> {
    const found = this.#found.get(program) ?? find(program, this.#path);
    this.#found.set(program, found);
    return found;
  }
}

async function find(program: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(":")) {
    const file = join(folder, program);
    try {
      await access(file, constants.X_OK);
      if ((await stat(file)).isFile()) return file;
    } catch {
      // The next folder may have it.
    }
  }
  return undefined;
}
