import type { Properties } from "../../core/json/plain-json";
import { CommandError } from "../invocation/failure";
import type { Stack } from "../synthesis/manifest";
import {
  configurationOf,
  readStackContent,
  type StackConfiguration,
} from "../synthesis/stack-content";
import type { Terraform } from "../terraform/terraform";

/** A stack that can be run. */
export interface ReadyStack {
  readonly stack: Stack;
  /** In Terraform's JSON syntax. */
  readonly content: Properties;
  readonly configuration: StackConfiguration;
}

/**
 * Reads the configuration of a stack.
 *
 * @throws CommandError if it cannot be run here
 */
export async function readyStack(stack: Stack, terraform: Terraform): Promise<ReadyStack> {
  const content = await readStackContent(stack.folder);
  const configuration = configurationOf(content, stack);
  const { remoteBackend } = configuration;
  if (remoteBackend !== undefined) {
    throw new CommandError(
      `${stack.name} has the backend "${remoteBackend}": a service runs Terraform and keeps the plans.`,
      "Run `trivet exec -- cdktf deploy` for this stack, or use a backend that only stores states, such as s3, pg or http.",
    );
  }
  await refuseTooOld(stack, content, terraform);
  return { stack, content, configuration };
}

type Program = "Terraform" | "OpenTofu";

/** A part of the language that some supported versions lack. */
interface Feature {
  readonly name: string;
  /** The first version that has it, by program; undefined if none has. */
  readonly since: Readonly<Record<Program, string | undefined>>;
  readonly isUsed: (content: Properties) => boolean;
}

const features: readonly Feature[] = [
  {
    name: "functions of providers",
    since: { Terraform: "1.8", OpenTofu: "1.7" },
    isUsed: (content) => JSON.stringify(content).includes("provider::"),
  },
  {
    name: "ephemeral resources",
    since: { Terraform: "1.10", OpenTofu: "1.11" },
    isUsed: (content) => "ephemeral" in content,
  },
  {
    name: "actions",
    since: { Terraform: "1.14", OpenTofu: undefined },
    isUsed: (content) => "action" in content,
  },
];

/**
 * Refuses a stack that uses a feature that the program lacks. The program's own messages about it are hard to understand.
 *
 * @throws CommandError if the program is too old
 */
async function refuseTooOld(
  { name, folder }: Stack,
  content: Properties,
  terraform: Terraform,
): Promise<void> {
  const used = features.filter(({ isUsed }) => isUsed(content));
  if (used.length === 0) return;
  const [, program, version] =
    /^(\w+) (\d+\.\d+)/.exec((await terraform.version(folder)) ?? "") ?? [];
  if (program === undefined || version === undefined) return;
  for (const { name: feature, since } of used) {
    const first = since[program as Program];
    if (first !== undefined && minorOf(version) >= minorOf(first)) continue;
    const newer = Object.entries(since).flatMap(([name, from]) =>
      from ? [`${name} ${from}`] : [],
    );
    throw new CommandError(
      `${name} uses ${feature}, which ${program} ${version} does not have.`,
      `Install ${newer.join(" or ")}, or newer. If it is not on PATH, set TERRAFORM_BINARY_NAME to its path.`,
    );
  }
}

/** All supported versions are 1.x. */
const minorOf = (version: string): number => Number(version.split(".")[1]);
