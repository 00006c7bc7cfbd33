/**
 * The versions of coder that changed a rule for templates. Each rule was seen on a server of that version, or
 * read in its sources.
 */
export const platformVersions = {
  /**
   * Parameters, presets and tags are evaluated before Terraform runs.
   *
   * @see https://github.com/coder/preview
   */
  previews: "2.24",
  /**
   * An import checks the values of each preset.
   *
   * @see https://github.com/coder/coder/pull/18844
   */
  presets: "2.25",
  /** The platform itself passes prompts to tasks. Before, they came from a parameter. */
  taskPrompts: "2.28",
  /**
   * An import evaluates the template for each preset with prebuilds, and does not check the values of others.
   *
   * @see https://github.com/coder/coder/pull/21858
   */
  prebuiltPresets: "2.31",
  /** Tasks are deprecated, and templates no longer need them. */
  deprecatedTasks: "2.34",
} as const;
