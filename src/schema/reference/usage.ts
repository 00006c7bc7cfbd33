import { fence } from "./markdown";

/** The same configuration in HCL and in TypeScript, for the section Example Usage. */
export interface ReferenceExample {
  /** The example for users of Terraform. */
  readonly hcl: string;
  /** The example for users of constructs or bindings. @default none */
  readonly typescript?: string | undefined;
}

/** The section Example Usage. */
export function usage(example: ReferenceExample | undefined): string[] {
  if (example === undefined) return [];
  const { hcl, typescript } = example;
  return [
    "## Example Usage",
    fence("terraform", hcl),
    ...(typescript === undefined
      ? []
      : ["The same in TypeScript:", fence("typescript", typescript)]),
  ];
}

/** Returns the name in the first `resource` block of the given type in HCL. */
export const nameInExample = (type: string, example: ReferenceExample | undefined): string =>
  new RegExp(`^\\s*resource "${type}" "([\\w-]+)"`, "m").exec(example?.hcl ?? "")?.[1] ?? "example";
