import { blocksIn, type BodyItem } from "../../core/hcl/configuration-blocks";
import { codeOf } from "../../core/hcl/template-sequences";
import { providerPattern } from "../package/mirror";
import type { UserConfiguration } from "./user-configuration";

interface CliConfiguration {
  readonly text: string;
  readonly warnings: readonly string[];
}

/**
 * Creates a Terraform CLI configuration that takes our providers from mirrors only, and keeps the user's other
 * settings.
 *
 * Terraform accepts one `provider_installation` block. If the user has one, the mirrors are added to it, and
 * each of its methods gets an exclusion for our providers: an unreachable method would make the whole search
 * fail.
 *
 * @see https://developer.hashicorp.com/terraform/cli/config/config-file#provider-installation
 */
export function cliConfiguration(
  mirrors: readonly string[],
  user: readonly UserConfiguration[],
): CliConfiguration {
  const warnings: string[] = [];
  const parts: string[] = [];
  let merged = false;
  for (const { path, text } of user) {
    if (text.trimStart().startsWith("{")) {
      warnings.push(
        `${path} is in JSON and is ignored: its settings do not apply to this command.`,
      );
      continue;
    }
    const own = blocksIn(text).find(({ name }) => name === "provider_installation");
    parts.push(`# From ${path}\n${own === undefined ? text : withMirrors(text, own, mirrors)}`);
    merged ||= own !== undefined;
  }
  if (!merged) parts.unshift(installation(mirrors));
  return { text: `${parts.join("\n\n")}\n`, warnings };
}

function installation(mirrors: readonly string[]): string {
  return `provider_installation {
${mirrors.map(mirrorMethod).join("\n")}
  direct {
    exclude = ["${providerPattern}"]
  }
}`;
}

function mirrorMethod(mirror: string): string {
  return `  filesystem_mirror {
    path    = ${JSON.stringify(mirror)}
    include = ["${providerPattern}"]
  }`;
}

function withMirrors(text: string, own: BodyItem, mirrors: readonly string[]): string {
  let result = text;
  // From last to first, so that the offsets stay valid.
  for (const method of [...blocksIn(text, own)].reverse()) {
    if (method.name === "dev_overrides") continue;
    result = withExclusion(result, method);
  }
  const { start: at } = own;
  return `${result.slice(0, at)}\n${mirrors.map(mirrorMethod).join("\n")}${result.slice(at)}`;
}

function withExclusion(text: string, { start, end }: BodyItem): string {
  const body = codeOf(text, "expression").slice(start, end);
  const list = /\bexclude\s*=\s*\[/.exec(body);
  const at = start + (list === null ? 0 : list.index + list[0].length);
  const added = list === null ? ` exclude = ["${providerPattern}"]\n` : `"${providerPattern}", `;
  return text.slice(0, at) + added + text.slice(at);
}
