import {
  backendIn,
  productOf,
  type StackContext,
  type StackFinding,
  type StackMember,
} from "../../construct";
import { warning } from "../../schema";
import { coderSeverity } from "./platform-facts";
import { isObject, type Properties } from "../../json/plain-json";

const otherState = warning(
  "template-state-backend",
  "a backend keeps the state where the platform does not read it",
);

/**
 * Refuses other backends. The platform reads the state of a build from one file in the build's folder. With
 * another backend, it reports each build as failed after Terraform has applied it, and a deletion destroys
 * nothing.
 */
export function* stateBackend(
  [member]: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  if (member === undefined) return;
  const { construct } = member;
  const backend = backendIn(context.nodesOf());
  const product = productOf(construct, "workspace");
  const expected = product.providers["workspace"]?.stateFile;
  if (backend === undefined || expected === undefined) return;
  const got = otherBackend(backend.toTerraform(), expected);
  if (got === undefined) return;
  const message =
    `cannot keep the state where ${backend.node.path} says (${got}): the platform reads it from ${expected} ` +
    "in the folder of a build, fails every build otherwise, and destroys nothing when a workspace is deleted. " +
    `Remove ${backend.node.path}, or use new LocalBackend(this, { path: "${expected}" })`;
  yield {
    construct,
    finding: coderSeverity(construct, otherState, "stateFile").at([], message),
  };
}

/** Returns the name of the backend, if the platform does not find the state there. */
function otherBackend(fragment: unknown, expected: string): string | undefined {
  const terraform = objectIn(fragment, "terraform");
  if ("cloud" in terraform) return "cloud";
  const [kind, settings] = Object.entries(objectIn(terraform, "backend"))[0] ?? [];
  if (kind === undefined) return undefined;
  if (kind !== "local") return kind;
  const path = isObject(settings) ? settings["path"] : undefined;
  return path === expected || path === `./${expected}`
    ? undefined
    : `local, ${JSON.stringify(path)}`;
}

function objectIn(value: unknown, name: string): Properties {
  const found = isObject(value) ? value[name] : undefined;
  return isObject(found) ? found : {};
}
