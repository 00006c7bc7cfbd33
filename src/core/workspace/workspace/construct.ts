import { DataWorkspaceBase } from "./generated";

/**
 * The workspace that is built, and what the build does with it.
 *
 * Outside a build of the platform, the values are constant placeholders.
 *
 * See the guide `docs/guide/parameters.md` in this package.
 *
 * @example
 * ```ts
 * const build = new workspace.DataWorkspace(this, "build");
 * ```
 */
export class DataWorkspace extends DataWorkspaceBase {}
