import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Calls `use` with a file that only this user can read. It is removed in all cases but a kill. */
export async function withTemporaryFile<Result>(
  name: string,
  content: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "trivet-"));
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", remove);
  try {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return await use(path);
  } finally {
    process.off("exit", remove);
    remove();
  }
}
