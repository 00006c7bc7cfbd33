import type { Properties } from "../../core/json/plain-json";
import { CommandError } from "../invocation/failure";
import type { Stack } from "../synthesis/manifest";
import type { Terraform } from "./terraform";

type Program = "Terraform" | "OpenTofu";

/** A part of the language that not every supported version has. */
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
 * Refuses a stack that uses what the program in use does not have. Its own messages about it are hard to understand.
 *
 * @throws CommandError if it is too old
 */
export async function refuseTooOld(
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
      `Install ${newer.join(" or ")}, or newer, and name it in TERRAFORM_BINARY_NAME if it is not on PATH.`,
    );
  }
}

/** All supported versions are 1.x. */
const minorOf = (version: string): number => Number(version.split(".")[1]);
