/** A provider in one way of running it. */
export interface Contender {
  readonly name: "ours" | "ours, compiled" | "ours, warm" | "Go" | "Go, quiet";
  /** Its label in the table and the plot. */
  readonly label: string;
  readonly colour: string;
}

export const contenders: readonly Contender[] = [
  { name: "ours", label: "ours", colour: "#0b6bcb" },
  { name: "ours, compiled", label: "ours, compiled", colour: "#12836b" },
  { name: "ours, warm", label: "ours, below `trivet exec --warm`", colour: "#6aa9e9" },
  { name: "Go", label: "Go's framework", colour: "#b3541e" },
  { name: "Go, quiet", label: "Go's framework, its logs off", colour: "#e0a06e" },
];

/**
 * Turns off the logs of Go's framework, which otherwise writes TRACE lines to standard error in each call. Terraform
 * drops them.
 */
export const quiet: Readonly<Record<string, string>> = {
  TF_LOG_SDK: "off",
  TF_LOG_SDK_FRAMEWORK: "off",
  TF_LOG_SDK_PROTO: "off",
};

/** The commands that are measured, in their order. */
export const commands = {
  plan: "terraform plan -input=false -lock=false",
  apply: "terraform apply -input=false -lock=false -auto-approve",
  // Fails if it would change something.
  "second plan": "terraform plan -input=false -lock=false -detailed-exitcode",
  destroy: "terraform destroy -input=false -lock=false -auto-approve",
} as const;

export type CommandName = keyof typeof commands;

export const commandNames = Object.keys(commands) as readonly CommandName[];

/**
 * The commands to measure with a number of endpoints. With a large state, most of the work is Terraform's own and grows
 * with the square of the number: 5,000 endpoints would take hours.
 */
export const commandsWith = (count: number): readonly CommandName[] =>
  count > 1_000 ? ["plan"] : commandNames;
