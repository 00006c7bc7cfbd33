import { lstat, mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { EvaluationError, type Value } from "../../planner/expression/value";
import { inParallel } from "../../core/http/in-parallel";
import { type Properties, propertiesOf } from "../../core/json/plain-json";
import { type LocatedDiagnostic, plainValue } from "../../planner/offline-plan/plan-json";
import type { CompiledSchema } from "../../planner/offline-plan/provider-values";
import { type CoreDiagnostic, isError } from "../../core/provider-kit/core";
import { formatPath } from "../../core/provider-kit/values";
import { systemErrorCode } from "../../core/process/system-error";
import { writeText } from "../../core/redaction/output";
import { givenVariables, valueOf } from "../stack/variables";
import { Interruption } from "../exec/interruption";
import { commandEnvironment } from "../invocation/command-environment";
import { CommandError, ExitCode, note } from "../invocation/failure";
import { readProject } from "../synthesis/project";
import { synthesize } from "../synthesis/synthesize";
import { ConnectedProvider } from "./connected-provider";
import { constructSource, type Found } from "./construct-source";
import { importIdOf, managedIds, configureAsStacks, parsedStacks } from "./settings";
import { findImportable, type Importable } from "./importable";
import { inputsFor } from "./inputs";
import { plainBody } from "./source-text";

export interface ImportOptions {
  readonly out?: string;
  readonly stack?: string;
  readonly alias?: string;
  readonly limit: number;
  readonly var?: readonly string[];
  readonly varFile?: readonly string[];
}

const readsAtOnce = 8;

/** Runs `trivet import`, and sets the exit code. */
export async function runImport(
  type: string,
  filters: readonly string[],
  options: ImportOptions,
): Promise<void> {
  const { out } = options;
  if (out !== undefined) await refuseExisting(out);
  const filter = filterOf(filters);
  const project = await readProject(process.cwd());
  const given = await givenVariables(options, process.env);
  const target = out === undefined ? project.folder : dirname(resolve(out));
  const importable = await findImportable(type, project, target);
  const interruption = new Interruption();
  try {
    const stacks = await parsedStacks(
      await synthesize(project, commandEnvironment().env, interruption),
    );
    const { source, routes, declaration } = importable;
    const started = await ConnectedProvider.start(source, routes, interruption.aborted);
    const { provider, schemas } = started;
    const { stack, alias } = options;
    const providerType = source.slice(source.lastIndexOf("/") + 1);
    const choice = { source, type: providerType, stack, alias, given };
    refuseErrors(await configureAsStacks(provider, schemas, stacks, choice));
    const managed = await managedIds(declaration, stacks);
    const { aborted } = interruption;
    const found = await existing(importable, started, filter, options.limit, managed, aborted);
    interruption.aborted.throwIfAborted();
    if (found.length === 0) {
      note(`found no resources of type ${type} to import`);
      return;
    }
    const text = constructSource(importable, found, alias !== undefined);
    if (out === undefined) writeText(process.stdout, text);
    else {
      await writeNew(out, text);
      note(`wrote ${found.length} of type ${type} to ${out}`);
    }
  } catch (error) {
    // An interrupted import can fail in any way.
    if (interruption.exitCode === undefined) throw error;
    process.exitCode = interruption.exitCode;
  } finally {
    interruption.release();
  }
}

/** @throws CommandError if the file exists, even as a broken link */
async function refuseExisting(file: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return;
  throw new CommandError(
    `${file} already exists${found.isSymbolicLink() ? ", as a link" : ""}.`,
    "Name another file with --out. trivet import never overwrites files.",
    ExitCode.usage,
  );
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: "wx" });
  } catch (failure) {
    if (!(failure instanceof Error) || systemErrorCode(failure) === undefined) throw failure;
    throw new CommandError(
      `${file} cannot be written: ${failure.message}.`,
      "Name another file with --out.",
      undefined,
      { cause: failure },
    );
  }
}

/**
 * Lists the resources, reads each one like after an import, and finds its inputs.
 *
 * @param managed the import IDs of the resources that the project already manages
 */
async function existing(
  { declaration }: Importable,
  { provider, schemas }: Awaited<ReturnType<typeof ConnectedProvider.start>>,
  filter: Properties,
  limit: number,
  managed: ReadonlySet<string>,
  aborted: AbortSignal,
): Promise<readonly Found[]> {
  const { type } = declaration;
  const list = schemas.lists.get(type);
  const resource = schemas.resources.get(type);
  if (list === undefined || resource === undefined) {
    throw new Error(`the provider does not list ${type}`);
  }
  const config = listConfig(list, filter);
  const { listed, diagnostics } = await provider.list(type, { list, resource }, config, limit);
  refuseErrors(diagnostics);
  if (listed.length === limit) {
    note(`stopped after ${limit} resources: raise --limit or add a filter if there are more`);
  }
  const found: (Found | undefined)[] = listed.map(() => undefined);
  let managedCount = 0;
  await inParallel(readsAtOnce, listed.entries(), async ([at, each]) => {
    aborted.throwIfAborted();
    const { displayName, state } = each;
    const importId = state && importIdOf(declaration, propertiesOf(plainValue(state)));
    if (importId === undefined) {
      skip(displayName, errorOf(each.diagnostics) ?? "the provider does not return its import ID");
    } else if (managed.has(importId)) {
      managedCount++;
    } else {
      const read = await provider.import(type, resource, importId);
      aborted.throwIfAborted();
      if (read.existing === undefined) {
        skip(displayName, errorOf(read.diagnostics) ?? "it no longer exists");
      } else {
        const inputs = await inputsFor(type, resource, read.existing, provider);
        found[at] = { ...inputs, displayName, importId };
      }
    }
  });
  if (managedCount > 0) note(`left out ${managedCount} that the project already manages`);
  return found.flatMap((each) => each ?? []);
}

function skip(displayName: string, reason: string): void {
  note(`${displayName} is left out: ${reason}`);
  process.exitCode = ExitCode.failed;
}

const errorOf = (diagnostics: readonly CoreDiagnostic[]): string | undefined =>
  diagnostics.find(isError)?.detail;

function filterOf(filters: readonly string[]): Properties {
  return Object.fromEntries(
    filters.map((each) => {
      const at = each.indexOf("=");
      if (at < 1) {
        throw new CommandError(
          `A filter must be name=value (got "${each}").`,
          "Write for example location=us-central1-f or 'filter=severity = \"HIGH\"'.",
          ExitCode.usage,
        );
      }
      return [each.slice(0, at), valueOf(each.slice(at + 1))];
    }),
  );
}

function listConfig(list: CompiledSchema, filter: Properties): Value {
  try {
    return plainBody(list.block, filter);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const names = [...list.block.attributes.keys(), ...list.block.blocks.keys()];
    throw new CommandError(
      error.message,
      names.length === 0
        ? "This list cannot be filtered."
        : `The filters are: ${names.join(", ")}.`,
      ExitCode.usage,
    );
  }
}

/**
 * Prints warnings.
 *
 * @throws CommandError with the errors
 */
function refuseErrors(diagnostics: readonly (CoreDiagnostic & Partial<LocatedDiagnostic>)[]): void {
  const textOf = ({ address, summary, detail, path }: (typeof diagnostics)[number]): string => {
    const place = [address, path && formatPath(path)]
      .filter((each) => each !== undefined)
      .join(": ");
    return `${place === "" ? "" : `${place}: `}${summary}: ${detail}`;
  };
  const errors = diagnostics.filter(isError);
  for (const each of diagnostics) if (!isError(each)) note(`warning: ${textOf(each)}`);
  if (errors.length === 0) return;
  throw new CommandError(
    errors.map(textOf).join("\n"),
    "Correct this, and run the command again. Nothing was written.",
  );
}
