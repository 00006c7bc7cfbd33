import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CompiledProvider, compileProviders } from "../compile-providers";
import type { MeasuredProvider } from "../setting";
import { writeFigures } from "../write-figures";
import { buildTwin } from "./build-twin";
import { measureAgainstGo } from "./measure";
import { plot } from "./plot";
import { section } from "./section";

/** The options of `--against-go`. */
export interface AgainstGoOptions {
  readonly runs: number;
  readonly root: string;
  readonly provider: MeasuredProvider;
  /** The numbers of endpoints, in ascending order. */
  readonly counts: readonly number[];
  /** A description of the machine. */
  readonly machine: string;
  /** Whether to write the table and the plot to the documentation. */
  readonly isWritten: boolean;
}

/**
 * Builds a provider in Go, compiles ours, and compares both forms of ours with it. Returns the result in Markdown.
 */
export async function againstGo(options: AgainstGoOptions): Promise<string> {
  const { runs, root, provider, counts, machine, isWritten } = options;
  const folder = mkdtempSync(join(tmpdir(), "trivet-bench-"));
  try {
    console.error("building the twin …");
    const twin = buildTwin(join(root, "bench", "against-go", "twin"), folder);
    console.error("compiling our provider …");
    const compiled = await compileIds(root, join(folder, "compiled"));
    const working = join(folder, "terraform");
    mkdirSync(working);
    const measured = await measureAgainstGo({
      runs,
      root,
      folder: working,
      provider,
      compiled,
      twin,
      counts,
    });
    const text = section(measured, machine);
    if (isWritten) {
      writeFigures(join(root, "docs", "performance.md"), "against go", text);
      writeFileSync(join(root, "docs", "against-go.svg"), plot(measured));
    }
    return text;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compileIds(root: string, folder: string): Promise<CompiledProvider> {
  const compiled = (await compileProviders(root, folder, ["ids"])).get("ids");
  if (compiled === undefined) throw new Error("the provider was not compiled");
  return compiled;
}
