import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives `use` a file that only this user can read, and removes it whatever happens short of a kill. */
export async function withTemporaryFile<Result>(
  name: string,
  text: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "trivet-"));
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", remove);
  try {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return await use(path);
  } finally {
    process.off("exit", remove);
    remove();
  }
}
