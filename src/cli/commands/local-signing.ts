import { Command, InvalidArgumentError } from "commander";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";

interface Options {
  readonly folder: string;
  readonly port?: number;
  readonly referrersApi: boolean;
  readonly email?: string;
  readonly quiet?: true;
}

export function localSigningCommand(): Command {
  return new Command("signing")
    .summary("a registry and all that signing images needs")
    .description(
      "Runs an image registry, a certificate authority with its log, a\n" +
        "transparency log, a time-stamp authority and an issuer of identity\n" +
        "tokens on the loopback interface. Keys are made once for a folder; what\n" +
        "was signed there stays valid in the next run.",
    )
    .option("--folder <folder>", "where keys, logs and images are kept", ".trivet/signing")
    .option(
      "--port <number>",
      "the registry's port; the others take the four\n" +
        "after it; 0 takes free ones (default: those of the\n" +
        "last run, else free ones)",
      firstPort,
    )
    .option("--no-referrers-api", "the registry does not list referrers, as older ones do not")
    .option("--email <address>", "whom the token in the folder names (default: dev@example.com)")
    .option("--quiet", "do not print what changes")
    .addHelpText(
      "after",
      `
The folder holds trusted_root.json, signing_config.json, the certificates and
public keys in PEM, a fresh identity token, and environment.sh, which tells
outside tools of them. The services have no access control: every program on
this machine can get a certificate for any name from them.

Runs until it is stopped: Ctrl-C ends it with exit code ${ExitCode.interrupted}, SIGTERM with 0.

Examples:
  trivet local signing
  trivet local signing --folder ./sigstore --port 5000 --email ada@example.com
  trivet local signing --no-referrers-api --quiet
  curl -X POST 'http://127.0.0.1:5004/token?sub=https://ci.example.com/job/1'`,
    )
    .action(localSigning);
}

async function localSigning(options: Options): Promise<void> {
  const { runLocalSigning } = await import("../../signing/local/command.js");
  const stop = new AbortController();
  const end = (signal: NodeJS.Signals) => {
    process.exitCode = signal === "SIGINT" ? ExitCode.interrupted : ExitCode.ok;
    stop.abort();
  };
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  await runLocalSigning({
    folder: options.folder,
    port: options.port,
    referrersApi: options.referrersApi,
    email: options.email,
    quiet: options.quiet ?? false,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: stop.signal,
  }).catch((failure: unknown) => {
    // What the services say without an error code is meant for the user.
    if (!(failure instanceof Error) || "code" in failure) throw failure;
    const cure = "`trivet local signing --help` shows the options.";
    throw new CommandError(`The local services: ${failure.message}.`, cure);
  });
}

function firstPort(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  const value = Number(text);
  // Four more follow it.
  if (value > 65531) throw new InvalidArgumentError("The registry's port is at most 65531.");
  return value;
}
