import { pages } from "../docs/page";
import { packedProject, writeFiles } from "./packed-project";

const page = pages().find(({ path }) => path === "docs/guide/writing-a-provider.md");

/** The configuration in the guide that uses the provider. */
export const guideConfiguration = page?.hcl[0] ?? "";

/** A project with the provider of the guide, and with the packed package and esbuild. */
export function guideProject(packages: readonly string[] = ["esbuild"]): string {
  const project = packedProject(packages, "provider-kit");
  const modules = page?.snippets.filter(({ name }) => !name.startsWith("line-")) ?? [];
  writeFiles(project, Object.fromEntries(modules.map(({ name, code }) => [`${name}.ts`, code])));
  writeFiles(project, { "package.json": '{ "name": "notes", "version": "0.1.0" }' });
  return project;
}
