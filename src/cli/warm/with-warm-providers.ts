import { tmpdir } from "node:os";
import { join } from "node:path";
import { Interruption } from "../exec/interruption";
import { withTemporaryFolder } from "../exec/temporary-folder";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import { writeLaunchers } from "./launcher";
import { RequestPipe } from "./request-pipe";
import { refuseSharedFolder } from "./trusted-folder";
import { WarmProviders } from "./warm-providers";

type Run = (command: string, env: NodeJS.ProcessEnv) => Promise<number>;

/**
 * Runs a command so that the Terraform commands in it share providers, which end with the command.
 *
 * @param command the command to run; a tool is replaced by its launcher
 * @throws CommandError on Windows, and if there is no folder in which sockets are safe
 */
export async function withWarmProviders(
  command: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  run: Run,
): Promise<number> {
  if (platform === "win32") {
    throw new CommandError(
      "--warm needs a POSIX shell, which Windows does not have.",
      "Run `trivet` and `terraform` inside WSL, or run without --warm.",
      ExitCode.usage,
    );
  }
  // Keeps signals from ending this process before it has removed its folder.
  const interruption = new Interruption();
  try {
    return await withTemporaryFolder(async (folder) => {
      // After the folder was created: that reports a TMPDIR that does not exist.
      refuseSharedFolder(tmpdir());
      const onPath = join(folder, "bin");
      const providers = new WarmProviders({ socketFolder: folder, onPath });
      const pipe = new RequestPipe(folder, (invocation) => providers.attachments(invocation));
      try {
        const launched = writeLaunchers(pipe.place, onPath, { command, env });
        return interruption.exitCode ?? (await run(launched.command, launched.env));
      } finally {
        pipe.close();
        await providers.close();
      }
    });
  } finally {
    interruption.release();
  }
}
