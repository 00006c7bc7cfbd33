import { Command } from "commander";
import { ExitCode } from "../invocation/exit-code";
import { serveUntilStopped } from "../invocation/until-stopped";
import { explainLocalFailure } from "./local-failure";
import { lastPort, wholeNumber } from "./whole-number";

interface Options {
  readonly folder: string;
  readonly port?: number;
  readonly referrersApi: boolean;
  readonly email?: string;
  readonly sampleImage?: string;
  readonly quiet?: true;
  readonly json?: true;
}

/** `trivet local signing`: runs the services that signing needs. */
export function localSigningCommand(): Command {
  return new Command("signing")
    .summary("a registry and all services for signing images")
    .description(
      "Runs an image registry, a certificate authority with its log, a transparency log, a " +
        "timestamp authority and an issuer of identity tokens on the loopback interface. Keys are " +
        "created once per folder, so signatures stay valid in the next run.",
    )
    .option("--folder <folder>", "folder for keys, logs and images", ".trivet/signing")
    .option(
      "--port <number>",
      "port of the registry; the other services use the next four; 0 selects free ones (default: " +
        "those of the last run, otherwise free ones)",
      // The other services use the next four.
      wholeNumber(lastPort - 4),
    )
    .option("--no-referrers-api", "do not list referrers, like older registries")
    .option(
      "--email <address>",
      "email address in the token in the folder (default: dev@example.com)",
    )
    .option("--sample-image <repository>", "put a small image into this repository")
    .option("--quiet", "do not print changes")
    .option("--json", "print addresses and files as JSON")
    .addHelpText(
      "after",
      `
The folder contains trusted_root.json, signing_config.json, the certificates
and public keys in PEM, a fresh identity token, and environment.sh, which
configures other tools. With --sample-image, sample-image names the image by
its digest. The services have no access control: every program on
this machine can get a certificate for any name from them.

Runs until it is stopped, with exit code ${ExitCode.interrupted} after Ctrl-C and 0 after SIGTERM.

Examples:
  trivet local signing
  trivet local signing --folder ./sigstore --port 5000 --email ada@example.com
  trivet local signing --sample-image build/app
  trivet local signing --no-referrers-api --quiet
  curl -X POST 'http://127.0.0.1:5004/token?sub=https://ci.example.com/job/1'`,
    )
    .action(localSigning);
}

async function localSigning(options: Options): Promise<void> {
  const { runLocalSigning } = await import("../../signing/local/command.js");
  const serve = (signal: AbortSignal) =>
    runLocalSigning({
      folder: options.folder,
      port: options.port,
      referrersApi: options.referrersApi,
      email: options.email,
      sampleImage: options.sampleImage,
      quiet: options.quiet ?? false,
      json: options.json ?? false,
      stdout: process.stdout,
      stderr: process.stderr,
      signal,
    });
  await serveUntilStopped(serve).catch((failure: unknown) =>
    explainLocalFailure(failure, "The local services", "trivet local signing"),
  );
}
