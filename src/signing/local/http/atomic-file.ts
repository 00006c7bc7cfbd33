import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a file in one step: readers and a crash see all of it or nothing. */
export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array,
  mode = 0o644,
): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await writeNew(temporary, content, mode);
    await rename(temporary, file);
  } catch (failure) {
    await rm(temporary, { force: true });
    throw failure;
  }
}

async function writeNew(file: string, content: string | Uint8Array, mode: number): Promise<void> {
  try {
    await writeFile(file, content, { mode, flag: "wx" });
  } catch (failure) {
    if (!hasCode(failure, "ENOENT")) throw failure;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { mode, flag: "wx" });
  }
}

/** Whether a caught value is an error of the system with this code. */
export function hasCode(failure: unknown, code: string): boolean {
  // Not `instanceof`: under test runners the system's errors come from another realm.
  return (
    typeof failure === "object" && failure !== null && "code" in failure && failure.code === code
  );
}
