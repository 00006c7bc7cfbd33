import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTemporaryFolder } from "./temporary-folder";

/**
 * Calls `use` with a file that only this user can read. It is removed in all cases but a kill.
 *
 * @throws CommandError if there is no folder for temporary files
 */
export function withTemporaryFile<Result>(
  name: string,
  content: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  return withTemporaryFolder((folder) => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return use(path);
  });
}
