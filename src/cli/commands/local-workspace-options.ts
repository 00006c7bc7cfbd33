import { type Command, InvalidArgumentError } from "commander";

/** The options of all `trivet local workspace` commands. */
export interface TemplateOptions {
  readonly var?: Pairs;
  readonly terraform: string;
  readonly state?: string;
  readonly prefix: string;
  readonly typePrefix: string;
  readonly accessUrl?: string;
}

export type Pairs = Readonly<Record<string, string>>;

/** Adds the argument and the options of {@link TemplateOptions}. */
export function withTemplate(command: Command): Command {
  return command
    .argument("<folder>", "the template: a folder with cdk.tf.json, or with other Terraform files")
    .option("--var <name=value>", "a Terraform input variable; may be repeated", pair)
    .option("--terraform <binary>", "the Terraform or OpenTofu to run", "terraform")
    .option(
      "--state <folder>",
      "folder for what the next build needs (default: the user's state folder)",
    )
    .option("--prefix <prefix>", "prefix of environment variables", "TRIVET")
    .option("--type-prefix <prefix>", "prefix of the platform's resource types", "workspace_")
    .option("--access-url <url>", "URL of the platform (default: http://localhost:3000)");
}

/** Parses `name=value`, and adds it to earlier values of the same option. */
export function pair(argument: string, before: Pairs = {}): Pairs {
  const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(argument) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError("It must be name=value.");
  }
  return { ...before, [name]: value };
}

/**
 * Returns the settings of the platform from these options.
 *
 * @param template its folder
 * @param stateFolder the folder for the state, if the user names none
 */
export const platformSettings = (
  template: string,
  { state, terraform, prefix, typePrefix, accessUrl }: TemplateOptions,
  stateFolder: string,
) => ({
  template,
  terraform,
  typePrefix,
  accessUrl,
  stateFolder: state ?? stateFolder,
  environmentPrefix: prefix,
});
