import type { Preview } from "../preview/preview";
import type { PlaceholderOwner } from "../state/placeholder-facts";
import type { StateFolder } from "../state/state-folder";
import type { Terraform } from "../terraform/terraform";
import type { PlatformFacts } from "./build-variables";

/** The settings and services of the platform that a build needs. */
export interface BuildContext {
  readonly seed: string;
  readonly buildId: string;
  readonly template: {
    readonly folder: string;
    readonly id: string;
    readonly name: string;
    readonly version: string;
  };
  readonly platform: PlatformFacts;
  readonly typePrefix: string;
  readonly state: StateFolder;
  readonly terraformIn: (folder: string) => Terraform;
  /** Evaluates the template before Terraform runs. */
  readonly preview: (inputs: {
    readonly parameters: Readonly<Record<string, string>>;
    readonly variables: Readonly<Record<string, string>>;
    readonly owner: PlaceholderOwner;
  }) => Promise<Preview>;
  readonly log: (line: string) => void;
}
