import type { PlaceholderOwner } from "../state/placeholder-facts";
import type { DiagnosticPlace } from "../terraform/terraform-diagnostic";

export interface PreviewRequest {
  /** The user's values, by parameter name. Other parameters have their defaults. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** The user who would own the workspace. @default placeholder data for the user `dev` */
  readonly owner?: PreviewOwner | undefined;
  /** Terraform input variables, by name. They replace the values in `terraform.tfvars`. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /**
   * Also evaluates the template with the values of each preset, as an import does for presets with prebuilds.
   * Each one takes a run of Terraform.
   *
   * @default false
   */
  readonly triesPresets?: boolean | undefined;
  /** Stops the preview early. It then fails with the code `INTERRUPTED`. */
  readonly signal?: AbortSignal | undefined;
}

/** The owner, to whom parameters, presets and tags can refer. Missing data are placeholders. */
export type PreviewOwner = Partial<PlaceholderOwner> & Pick<PlaceholderOwner, "name">;

/**
 * The result of the platform's evaluation before it runs Terraform: the form in which users enter values, the
 * presets, and the tags that select a provisioner.
 *
 * A template with errors has a preview, too. Its diagnostics explain why the platform would refuse it.
 */
export interface Preview {
  /** In the order in which the platform shows them. */
  readonly parameters: readonly PreviewedParameter[];
  readonly presets: readonly PreviewedPreset[];
  /** Tags by key. Tags that are not known are missing. */
  readonly tags: Readonly<Record<string, string>>;
  /** The secrets that the template asks for. */
  readonly secrets: readonly PreviewedSecret[];
  /** The external logins that the template asks for. */
  readonly externalAuth: readonly PreviewedExternalAuth[];
  /** Problems of the template as a whole, without those of its parameters and presets. */
  readonly diagnostics: readonly PreviewDiagnostic[];
}

export interface PreviewedParameter {
  readonly name: string;
  /** Empty if none is set. */
  readonly displayName: string;
  /** Markdown. Empty if none is set. */
  readonly description: string;
  /** `string`, `number`, `bool` or `list(string)`. */
  readonly type: string;
  /** The form control, such as `input`, `slider` or `dropdown`; `error` if it cannot be used. */
  readonly formType: string;
  readonly styling: PreviewedStyling;
  /** Undefined if there is no default, or if the platform does not know it. */
  readonly default: string | undefined;
  /** The user's value, otherwise the default. Undefined if there is neither, or if it is not known. */
  readonly value: string | undefined;
  /** True if the value can change after the workspace is created. */
  readonly mutable: boolean;
  /** True if the value applies to a single build. */
  readonly ephemeral: boolean;
  /** True if users must enter a value, because there is no default. */
  readonly required: boolean;
  /** A URL, or empty. */
  readonly icon: string;
  /** Empty if users enter any value. */
  readonly options: readonly PreviewedOption[];
  /** At most one, in a valid template. */
  readonly validations: readonly PreviewedValidation[];
  /** The position in the form. Parameters in the same position are sorted by name. */
  readonly order: number;
  readonly diagnostics: readonly PreviewDiagnostic[];
}

/** Settings of a form control. The platform ignores others. */
export interface PreviewedStyling {
  readonly placeholder?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly label?: string | undefined;
  /** Hides the value while users enter it. */
  readonly maskInput?: boolean | undefined;
}

export interface PreviewedOption {
  readonly name: string;
  /** Undefined if the platform does not know it. */
  readonly value: string | undefined;
  /** Empty if none is set. */
  readonly description: string;
  /** A URL, or empty. */
  readonly icon: string;
}

export interface PreviewedValidation {
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** `increasing` or `decreasing`: how a number may change from build to build. */
  readonly monotonic: string | undefined;
  /** In the syntax of RE2. */
  readonly regex: string | undefined;
  /** The template's message for values that are refused. Empty if none is set. */
  readonly error: string;
}

/** A set of values that users can choose. Its values replace the users' inputs. */
export interface PreviewedPreset {
  readonly name: string;
  /** Empty if none is set. */
  readonly description: string;
  /** A URL, or empty. */
  readonly icon: string;
  readonly isDefault: boolean;
  /** Values by parameter name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The number of prebuilt workspaces, outside of schedules. */
  readonly prebuilds: number;
  readonly diagnostics: readonly PreviewDiagnostic[];
}

/** A secret that the template requests from the owner. One of `env` and `file` is set. */
export interface PreviewedSecret {
  /** Name of an environment variable. */
  readonly env: string | undefined;
  /** Path of a file. */
  readonly file: string | undefined;
  /** Explains to the owner how to add it. */
  readonly helpMessage: string;
}

export interface PreviewedExternalAuth {
  readonly id: string;
  readonly optional: boolean;
}

/** A problem that the platform reports, in its own words where possible, or that Terraform has with the template. */
export interface PreviewDiagnostic {
  /** Set if Terraform reports it. The platform does so when it plans the import. */
  readonly isTerraforms?: true;
  readonly place?: DiagnosticPlace | undefined;
  readonly severity: "error" | "warning";
  readonly summary: string;
  /** May have several lines, or be empty. */
  readonly detail: string;
}
