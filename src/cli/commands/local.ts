import { Command } from "commander";
import type { RunLocalSigningOptions } from "../../local/signing/command";
import { CommandError, ExitCode } from "../invocation/failure";
import { serveUntilStopped } from "../invocation/run-program";
import { localWorkspaceCommand } from "./local-workspace";
import { lastPort, repeated, wholeNumber } from "./options";

interface IdsOptions {
  readonly port: number;
  readonly polls?: number;
  readonly quota?: number;
  readonly fault?: readonly string[];
  readonly stateFile?: string;
  readonly quiet?: true;
  readonly json?: true;
}

/** `trivet local`: the local back ends. */
export function localCommand(): Command {
  return new Command("local")
    .summary("run a local back end")
    .description("Runs a back end on this machine that behaves like the real service.")
    .addCommand(localIdsCommand())
    .addCommand(localSigningCommand())
    .addCommand(localWorkspaceCommand());
}

function localIdsCommand(): Command {
  return new Command("ids")
    .summary("the intrusion detection service")
    .description(
      "Runs the REST API of the intrusion detection service on the loopback interface. The " +
        "provider uses it only if its settings contain the address.",
    )
    .option("--port <number>", "port to listen on; 0 selects a free one", wholeNumber(lastPort), 0)
    .option("--polls <number>", "number of polls until an operation is done", wholeNumber())
    .option("--quota <number>", "endpoints per zone and project (default: 10)", wholeNumber())
    .option(
      "--fault <method:status[:count]>",
      "let requests fail, such as POST:503:2; can be repeated",
      repeated,
    )
    .option("--state-file <file>", "keep the endpoints in this file (default: in memory)")
    .option("--quiet", "do not print requests")
    .option("--json", "print the address as JSON")
    .addHelpText(
      "after",
      `
Runs until it is stopped, with exit code ${ExitCode.interrupted} after Ctrl-C and 0 after SIGTERM.

Examples:
  trivet local ids --port 8080
  trivet local ids --polls 3 --state-file ids.json`,
    )
    .action(localIds);
}

async function localIds(options: IdsOptions): Promise<void> {
  const { parseFaultOption, runLocalIds } = await import("../../local/ids/command.js");
  const faults = (options.fault ?? []).map((text) => {
    const fault = parseFaultOption(text);
    if (fault !== undefined) return fault;
    const rule = "A fault is METHOD:STATUS or METHOD:STATUS:COUNT, such as POST:503:2.";
    const problem = `The option --fault has the value ${JSON.stringify(text)}, which is not a fault.`;
    throw new CommandError(problem, rule, ExitCode.usage);
  });
  const { stdout, stderr } = process;
  await serveLocally("The local back end", "trivet local ids", (signal) =>
    runLocalIds({ ...options, faults, stdout, stderr, signal }),
  );
}

interface SigningOptions {
  readonly folder: string;
  readonly port?: number;
  readonly referrersApi: boolean;
  readonly quirk?: readonly string[];
  readonly email?: string;
  readonly sampleImage?: string;
  readonly page?: true;
  readonly policy?: readonly string[];
  readonly quiet?: true;
  readonly json?: true;
}

/** `trivet local signing`: runs the services that signing needs. */
function localSigningCommand(): Command {
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
      "--quirk <name>",
      "a way in which the registry differs from the specification, as GitLab's does with " +
        "digest-tags; can be repeated",
      repeated,
    )
    .option(
      "--email <address>",
      "email address in the token in the folder (default: dev@example.com)",
    )
    .option("--sample-image <repository>", "put a small image into this repository")
    .option("--page", "serve a page with the images, who signed them, and the log")
    .option(
      "--policy <file>",
      "show on the page what the policies in a file say; can be repeated",
      repeated,
    )
    .option("--quiet", "do not print changes")
    .option("--json", "print addresses and files as JSON")
    .addHelpText(
      "after",
      `
The folder contains trusted_root.json, signing_config.json, the certificates
and public keys in PEM, a fresh identity token, and environment.sh, which
configures other tools. With --sample-image, the file sample-image contains the
reference of the image with its digest. The services have no access control:
every program on this machine can get a certificate for any name from them.

With --page or --policy, the address of a page is printed. It contains a token,
without which nobody can use the page.

Runs until it is stopped, with exit code ${ExitCode.interrupted} after Ctrl-C and 0 after SIGTERM.

Examples:
  trivet local signing
  trivet local signing --folder ./sigstore --port 5000 --email ada@example.com
  trivet local signing --sample-image build/app
  trivet local signing --page --policy policy.yaml
  trivet local signing --no-referrers-api --quiet
  trivet local signing --quirk size-too-large --quirk no-delete
  curl -X POST 'http://127.0.0.1:5004/token?sub=https://ci.example.com/job/1'`,
    )
    .action(localSigning);
}

async function localSigning(options: SigningOptions): Promise<void> {
  const { runLocalSigning } = await import("../../local/signing/command.js");
  const { isQuirk, quirks: known } = await import("../../local/signing/registry/quirks.js");
  const { page, policy: policies = [], quirk: names = [], ...given } = options;
  const quirks = names.map((name) => {
    if (isQuirk(name)) return name;
    const rule = `A quirk is one of: ${Object.keys(known).join(", ")}.`;
    const problem = `The option --quirk has the value ${JSON.stringify(name)}, which is not a quirk.`;
    throw new CommandError(problem, rule, ExitCode.usage);
  });
  const settings = { ...given, quirks };
  const { stdout, stderr, env: environment } = process;
  const openPage: RunLocalSigningOptions["openPage"] = async (services, onChange) => {
    const { startSigningPage } = await import("../../local/signing/page/page-server.js");
    return startSigningPage({ services, onChange, policies, environment });
  };
  const hasPage = page === true || policies.length > 0;
  await serveLocally("The local services", "trivet local signing", (signal) =>
    runLocalSigning({ ...settings, ...(hasPage && { openPage }), stdout, stderr, signal }),
  );
}

/**
 * Runs a local service until it is stopped. Its errors without an error code are messages for the user.
 *
 * @param command whose `--help` shows the options
 */
async function serveLocally(
  what: string,
  command: string,
  serve: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  try {
    await serveUntilStopped(serve);
  } catch (failure) {
    if (!(failure instanceof Error) || "code" in failure) throw failure;
    throw new CommandError(
      `${what} failed: ${failure.message}.`,
      `\`${command} --help\` shows the options.`,
    );
  }
}
